import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import * as z from 'zod/mini';
import { projectDirectory } from '#infra/cli/local-directory.ts';
import type { LocalOutputs } from '#infra/cli/local-outputs.ts';
import {
  credentialsOfOtherEnvironment,
  custodianCredentials,
  parseCredentials,
  railCredentials,
} from '#infra/cli/providers/credentials.ts';
import { createReadFireblocks, readCatalogue, resolveNetworks } from '#infra/cli/providers/fireblocks-catalogue.ts';
import { readSymbols } from '#infra/parameters/read-parameter-lists.ts';
import { type LocalProviders, localSecrets } from '#infra/stage/local-providers.ts';
import { mapPresent } from '#shared/platform/collections.ts';
import { isProtectedUrl } from '#shared/platform/protected-url.ts';
import { CannotStart } from './cannot-start.ts';
import { endGroup } from './process-group.ts';

/** A provider of the run: the double of this machine, or any other server with the credentials of a file. */
export interface ProviderChoice {
  readonly url?: string | undefined;
  readonly credentialsFile?: string | undefined;
}

export interface ProviderChoices {
  readonly custodian?: ProviderChoice | undefined;
  readonly rail?: ProviderChoice | undefined;
}

/** Everything that a run needs from its providers. */
export interface RunningProviders {
  readonly settings: Omit<LocalProviders, 'evm'>;
  readonly secrets: Readonly<Record<string, string>>;
  readonly outputs: Pick<LocalOutputs, 'providerNotifications' | 'doubles'>;
  readonly stop: () => Promise<void>;
}

const double = z.object({ url: z.string(), credentials: z.unknown() });

/** Addresses in each pool on this machine. */
const POOL_SIZE = 20;

/** Starts the doubles that are chosen, and reads from a custodian which assets it has. @throws {CannotStart} */
export async function startProviders({ custodian, rail }: ProviderChoices, port: number): Promise<RunningProviders> {
  await using started = new AsyncDisposableStack();
  const base = `http://localhost:${port}`;
  const notified = {
    ...(custodian && { custodian: `${base}/api/custodian/notifications/fireblocks` }),
    ...(rail && { rail: `${base}/api/payment-rail/notifications/wompi` }),
  };
  const custody = custodian && (await startCustodian(custodian, notified.custodian ?? '', started));
  const collection = rail && (await startRail(rail, notified.rail ?? '', started));
  const everything = started.move();
  return {
    settings: {
      ...(custody && { fireblocks: custody.settings, returns: custody.returns }),
      ...(collection && { wompi: collection.settings }),
    },
    secrets: { ...custody?.secrets, ...collection?.secrets },
    outputs: {
      ...(Object.keys(notified).length > 0 && { providerNotifications: notified }),
      doubles: {
        ...(custody?.isDouble && { custodian: custody.settings.server.url }),
        ...(collection?.isDouble && { rail: collection.settings.url }),
      },
    },
    stop: () => everything.disposeAsync(),
  };
}

async function startCustodian(choice: ProviderChoice, notify: string, started: AsyncDisposableStack) {
  const { url, credentials, isDouble } = await serverOf('custodian', choice, 'fireblocks', notify, started);
  // A file has one user, who stands for all users of a workspace.
  const { jwksUrl = '', ...user } = read('--custodian-credentials', custodianCredentials, credentials);
  checkUrl('jwksUrl of the credentials', jwksUrl);
  const isTest = new URL(url).hostname.startsWith('sandbox');
  const listed = await readCatalogue(createReadFireblocks(user, { url })).catch((error: unknown) => {
    const reason =
      error instanceof Error && error.name !== '$ZodError' ? error.message : 'its answer is in another format.';
    throw new CannotStart(`The custodian at ${url} does not say which assets it has: ${reason}`, { cause: error });
  });
  const found = resolveNetworks(listed, readSymbols('local'), isTest);
  // The double has an account with tags; another server's account is not known here.
  const { STELLAR: _, ...withoutTags } = found;
  const networks = isDouble ? found : withoutTags;
  if (Object.keys(networks).length === 0)
    throw new CannotStart(`The custodian at ${url} has none of the tokens of infra/parameters/local/tokens.json.`);
  const secret = JSON.stringify(user);
  return {
    isDouble,
    settings: {
      server: { url, jwksUrl },
      networks,
      callsPerMinute: 3000,
      unknownHashesPercent: 50,
      poolSize: POOL_SIZE,
      ...(isDouble && { stellarVault: '0' }),
    },
    // A vault with money is known here only for the double.
    returns: isDouble ? mapPresent(networks, () => ({ from: '0' })) : {},
    secrets: {
      [localSecrets.FIREBLOCKS_READER]: secret,
      [localSecrets.FIREBLOCKS_ADDRESSES]: secret,
      [localSecrets.FIREBLOCKS_TAGS]: secret,
      [localSecrets.FIREBLOCKS_SENDER]: secret,
    },
  };
}

async function startRail(choice: ProviderChoice, notify: string, started: AsyncDisposableStack) {
  const { url, credentials, isDouble } = await serverOf('rail', choice, 'wompi', notify, started);
  const all = read('--rail-credentials', railCredentials, credentials);
  const { eventsSecret, ...keys } = all;
  const isTest = keys.publicKey.startsWith('pub_test_');
  const others = credentialsOfOtherEnvironment(all, isTest);
  if (others.length > 0)
    throw new CannotStart(`--rail-credentials: of another environment than publicKey: ${others.join(', ')}.`);
  return {
    isDouble,
    settings: { url, isTest },
    secrets: { [localSecrets.WOMPI_KEYS]: JSON.stringify(keys), [localSecrets.WOMPI_EVENTS]: eventsSecret },
  };
}

/** The server that was named, or the double. */
async function serverOf(
  kind: 'custodian' | 'rail',
  { url, credentialsFile }: ProviderChoice,
  name: string,
  notify: string,
  started: AsyncDisposableStack,
) {
  if (url === undefined) {
    const { line, stop } = await startDouble(name, notify);
    started.defer(stop);
    const { url: own, credentials } = double.parse(JSON.parse(line));
    return { url: own, credentials: JSON.stringify(credentials), isDouble: true };
  }
  checkUrl(`--${kind}-url`, url);
  if (credentialsFile === undefined) throw new CannotStart(`--${kind}-url needs --${kind}-credentials <file>.`);
  const text = await readFile(credentialsFile, 'utf8').catch(() => {
    throw new CannotStart(`--${kind}-credentials: ${credentialsFile} cannot be read.`);
  });
  return { url: new URL(url).origin, credentials: text, isDouble: false };
}

function checkUrl(what: string, url: string): void {
  if (!isProtectedUrl(url)) throw new CannotStart(`${what} must be an https URL, or an http URL of this machine.`);
}

function read<Schema extends z.ZodMiniType>(option: string, schema: Schema, text: string): z.infer<Schema> {
  try {
    return parseCredentials(option, schema, text);
  } catch (error) {
    throw new CannotStart(error instanceof Error ? error.message : option);
  }
}

/** Starts the double as a separate program. It ends when its standard input does, so it never outlives this one. */
async function startDouble(name: string, notify: string) {
  const program = `test/doubles/${name}/serve.ts`;
  // With the outcomes of the sandbox, most phones would get an error.
  const options = ['--notify', notify, ...(name === 'wompi' ? ['--by-hand'] : [])];
  const child = spawn(process.execPath, ['--import', './infra/check-node.mjs', program, ...options], {
    cwd: projectDirectory,
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const output = createInterface({ input: child.stdout });
  const ready = once(output, 'line').then(([line]) => String(line));
  const ended = once(child, 'exit').then(([code]) => {
    throw new CannotStart(`${program} ended with ${code} before it was ready.`);
  });
  ended.catch(() => {});
  return { line: await Promise.race([ready, ended]), stop: async () => void (await endGroup(child)) };
}
