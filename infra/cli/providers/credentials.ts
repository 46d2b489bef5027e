import * as z from 'zod/mini';
import { fireblocksUser } from '#shared/off-ramps/custodians/fireblocks/fireblocks-settings.ts';
import { wompiKeys } from '#shared/pay-ins/rails/wompi/wompi-settings.ts';
import { keysOf } from '#shared/platform/collections.ts';

/** The credentials of one API user. The local run also needs the address of the keys that verify notifications. */
export const custodianCredentials = z.extend(fireblocksUser, { jwksUrl: z.optional(z.url()) });

export const railCredentials = z.extend(wompiKeys, { eventsSecret: z.string().check(z.minLength(8)) });

export type RailCredentials = Readonly<z.infer<typeof railCredentials>>;

/** @throws {Error} whose message has names only, because the values in a file of credentials are secret */
export function parseCredentials<Schema extends z.ZodMiniType>(
  option: string,
  schema: Schema,
  text: string,
): z.infer<Schema> {
  const { data, error } = schema.safeParse(jsonOf(text));
  if (error === undefined) return data;
  const names = error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => `${key} (unknown)`)
      : [issue.path.join('.') || 'no JSON'],
  );
  throw new Error(`${option}: not in the format of docs/local-run.md#providers: ${[...new Set(names)].join(', ')}.`);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Names of the secrets that do not begin like those of Wompi's environment. */
export function credentialsOfOtherEnvironment(credentials: RailCredentials, isTest: boolean): readonly string[] {
  const kind = isTest ? 'test' : 'prod';
  const beginnings = {
    publicKey: `pub_${kind}_`,
    privateKey: `prv_${kind}_`,
    integritySecret: `${kind}_integrity_`,
    eventsSecret: `${kind}_events_`,
  } as const;
  return keysOf(beginnings).filter((name) => !credentials[name].startsWith(beginnings[name]));
}
