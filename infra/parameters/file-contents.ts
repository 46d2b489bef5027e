import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { network } from '#shared/networks/network.ts';
import { canonicalAmount, compareAmounts, decimalPlaces, MOST_DECIMALS } from '#shared/platform/amount.ts';

/** Bytes of a logo. The list of tokens contains every logo. */
const LARGEST_LOGO = 2000;
const PNG_SIGNATURE = '89504e470d0a1a0a';

const name = z.string().check(z.regex(/^\S(.*\S)?$/, 'must not be empty, nor begin or end with a space'));

const bankEntry = z.strictObject({
  /** Clients keep it as `bankId`, so it stays when the code or the name changes. */
  id: z.string().check(z.regex(/^[a-z\d]+(-[a-z\d]+)*$/, 'must be lower-case words with hyphens between them')),
  /** The bank's code at PSE. */
  code: z.string().check(z.regex(/^\d{4}$/, 'must be four digits')),
  name,
  active: z.boolean(),
});

/** The content of a `banks.json`. */
export const banksFile = z.array(bankEntry).check(
  noneTwice((bank, index) => [
    [[index, 'id'], bank.id],
    [[index, 'code'], bank.code],
    [[index, 'name'], bank.name],
  ]),
);

/** The content of a `tokens.json`. A logo is the name of a file in the folder given, and is read as base64. */
export function tokensFile(logos: string) {
  const logo = z.pipe(
    z.string().check(z.regex(/^[a-z\d-]+\.png$/, 'must be the name of a PNG file')),
    z.transform((file: string, context) => {
      const bytes = bytesOf(join(logos, file));
      const isPng = bytes.toString('hex', 0, PNG_SIGNATURE.length / 2) === PNG_SIGNATURE;
      if (!isPng || bytes.length > LARGEST_LOGO) {
        const message = `must be a PNG of at most ${LARGEST_LOGO} bytes in the folder of the logos`;
        context.issues.push({ code: 'custom', message, input: file });
      }
      return bytes.toString('base64');
    }),
  );
  return z
    .array(z.extend(tokenEntry, { logo: z.optional(logo) }))
    .check(
      noneTwice((entry, index) => [
        [[index, 'id'], entry.id],
        [[index, 'token'], entry.token],
        ...Object.entries(entry.networks).map(
          ([on, asset]): Value => [[index, 'networks', on, 'custodianAssetId'], asset.custodianAssetId],
        ),
      ]),
    );
}

const amount = z
  .string()
  .check(z.refine((text) => canonicalAmount(text) !== undefined, 'must be an amount above 0, such as "0.5"'));

const tokenOnNetwork = z
  .strictObject({
    custodianAssetId: name,
    /** False: no new off-ramp takes it, and no list has it; the deposits of open off-ramps count as before. */
    active: z.optional(z.boolean()),
    decimals: z
      .int()
      .check(z.minimum(0, 'must be at least 0'), z.maximum(MOST_DECIMALS, `must be at most ${MOST_DECIMALS}`)),
    /** A smaller transfer is dust: clients are not told of it, unless an off-ramp awaits it. */
    minimumDeposit: amount,
    /** The smallest and the largest amount of an off-ramp, as clients read them. */
    minimum: amount,
    maximum: amount,
    /** The cost of sending one of these back; nothing when it is not given. */
    returnFee: z.optional(amount),
  })
  .check(({ value: { decimals, ...amounts }, issues }) => {
    for (const field of ['minimumDeposit', 'minimum', 'maximum', 'returnFee'] as const) {
      const given = amounts[field];
      if (given === undefined || decimalPlaces(given) <= decimals) continue;
      const message = `must have at most ${decimals} decimals`;
      issues.push({ code: 'custom', path: [field], message, input: given });
    }
    const [minimum, maximum] = [canonicalAmount(amounts.minimum), canonicalAmount(amounts.maximum)];
    if (minimum === undefined || maximum === undefined || compareAmounts(minimum, maximum) <= 0) return;
    issues.push({ code: 'custom', path: ['maximum'], message: `must be at least ${minimum}`, input: maximum });
  });

const tokenEntry = z.strictObject({
  /** Clients keep it as `supportedTokenId`. */
  id: z.int().check(z.minimum(1, 'must be at least 1')),
  token: z.string().check(z.regex(/^[A-Z\d]{2,12}$/, 'must be 2 to 12 capitals and digits')),
  active: z.boolean(),
  registerDate: z.optional(z.iso.date('must be a date like 2026-11-21')),
  networks: z.partialRecord(network, tokenOnNetwork),
});

/** A value and its path. */
type Value = readonly [path: (string | number)[], value: string | number];

/** Values that identify an entry must be unique; each is compared with those of the same field. */
function noneTwice<Entry>(valuesOf: (entry: Entry, index: number) => readonly Value[]) {
  return ({ value: entries, issues }: z.core.ParsePayload<Entry[]>): void => {
    const seen = new Set<string>();
    for (const [path, value] of entries.flatMap(valuesOf)) {
      const key = `${path.at(-1)} ${value}`;
      if (seen.has(key))
        issues.push({ code: 'custom', path, message: `must not be used twice: ${value}`, input: value });
      seen.add(key);
    }
  };
}

/** The bytes of a file; none if it cannot be read. */
function bytesOf(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch {
    return Buffer.alloc(0);
  }
}
