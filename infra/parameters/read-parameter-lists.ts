import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type * as z from 'zod/mini';
import type { Settings } from '#infra/stage/settings.ts';
import type { ParameterLists } from '#shared/parameters/parameter-lists.ts';
import { compareAmounts } from '#shared/platform/amount.ts';
import { banksFile, tokensFile } from './file-contents.ts';
import { type JsonWithLines, NotJson, parseJsonWithLines } from './json-with-lines.ts';

const projectDirectory = fileURLToPath(new URL('../../', import.meta.url));
const parametersDirectory = fileURLToPath(new URL('.', import.meta.url));

/** Files that cannot be deployed; each line of the message names a file, a line in it, and what is wrong there. */
export class BrokenParameters extends Error {
  override readonly name = 'BrokenParameters';
}

interface DepositTerms {
  readonly minimumDeposits: Readonly<Record<string, string>>;
  /** Less is dust, and no off-ramp awaits it. */
  readonly dustBelow: Readonly<Record<string, string>>;
  readonly decimals: Readonly<Record<string, number>>;
  readonly returnFees: Readonly<Record<string, string>>;
  /** The largest amount that one person has sent back; for an asset without one it always takes two. */
  readonly onePersonUpTo: Readonly<Record<string, string>>;
}

/** The settings that, beside the files, decide which tokens the lists have: a custodian has its own ids for them. */
export type Custody = Pick<Settings, 'custodians' | 'evm' | 'fireblocks' | 'twoPersonsAbove'>;

/**
 * The lists of a stage, from its folder of files. On a network that is read from its nodes, and on one of Fireblocks,
 * they have only the tokens that the settings list there.
 *
 * @throws {BrokenParameters}
 */
export function readParameterLists(
  stageName: string,
  custody: Custody = {},
  directory = parametersDirectory,
): ParameterLists {
  const banks = readList(join(directory, stageName, 'banks.json'), banksFile);
  const tokens = readTokens(stageName, custody, directory);
  return {
    banks,
    tokens: tokens.map(({ id, logo, networks, ...token }) => ({
      ...token,
      networks: Object.fromEntries(
        Object.entries(networks).flatMap(([network, { custodianAssetId, active, decimals, minimum, maximum }]) =>
          active === false ? [] : [[network, { custodianAssetId, decimals, minimum, maximum }]],
        ),
      ),
      tokenId: id,
      ...(logo !== undefined && { logoBase64: logo }),
    })),
  };
}

/**
 * The terms of deposits, by the custodian's id of the token: the minimum, the decimals, the cost of sending one back,
 * and the largest amount that one person has sent back.
 *
 * @throws {BrokenParameters}
 */
export function readDepositTerms(
  stageName: string,
  custody: Custody = {},
  directory = parametersDirectory,
): DepositTerms {
  const assets = readTokens(stageName, custody, directory).flatMap(({ token, networks }) =>
    Object.values(networks).map((asset) => ({ ...asset, onePersonUpTo: custody.twoPersonsAbove?.[token] })),
  );
  return {
    minimumDeposits: Object.fromEntries(assets.map((asset) => [asset.custodianAssetId, asset.minimumDeposit])),
    dustBelow: Object.fromEntries(
      assets.map(({ custodianAssetId, minimumDeposit, minimum }) => [
        custodianAssetId,
        compareAmounts(minimum, minimumDeposit) < 0 ? minimum : minimumDeposit,
      ]),
    ),
    decimals: Object.fromEntries(assets.map((asset) => [asset.custodianAssetId, asset.decimals])),
    returnFees: Object.fromEntries(assets.map((asset) => [asset.custodianAssetId, asset.returnFee ?? '0'])),
    onePersonUpTo: Object.fromEntries(
      assets.flatMap(({ custodianAssetId, onePersonUpTo: most }) =>
        most === undefined ? [] : [[custodianAssetId, most]],
      ),
    ),
  };
}

/** The tokens on the networks that are served, by the ids that the custodian of each network has for them. */
function readTokens(stageName: string, custody: Custody, directory: string) {
  const tokens = readList(join(directory, stageName, 'tokens.json'), tokensFile(join(directory, 'logos')));
  checkListed(stageName, custody, tokens);
  return tokens.map(({ networks, ...token }) => ({
    ...token,
    networks: Object.fromEntries(
      Object.entries(networks).flatMap(([network, asset]) => {
        const custodianAssetId = assetIdOf(custody, network, token.token, asset.custodianAssetId);
        return custodianAssetId === undefined ? [] : [[network, { ...asset, custodianAssetId }]];
      }),
    ),
  }));
}

/** The custodian's id of a token on a network; `undefined` where it is not served. */
function assetIdOf(
  { custodians, evm, fireblocks }: Custody,
  network: string,
  symbol: string,
  listed: string,
): string | undefined {
  const { [network]: chain }: Record<string, { readonly tokens: readonly { readonly custodianAssetId: string }[] }> =
    evm?.chains ?? {};
  const { [network]: held }: Record<string, { readonly assets: Readonly<Record<string, string>> }> =
    fireblocks?.networks ?? {};
  const undecided = chain ? 'evm' : held ? 'fireblocks' : 'simulated';
  const { [network]: chosen }: Record<string, string> = custodians ?? { [network]: undecided };
  if (chosen === undefined) return undefined;
  if (chosen === 'fireblocks') return held?.assets[symbol];
  if (chosen === 'evm') return chain?.tokens.find((one) => one.custodianAssetId === listed)?.custodianAssetId;
  return listed;
}

/** The symbols of a stage's tokens. */
export function readSymbols(stageName: string): readonly string[] {
  return readTokens(stageName, {}, parametersDirectory).map(({ token }) => token);
}

type TokensFile = z.infer<ReturnType<typeof tokensFile>>;

/** Checks that what the settings list of a custodian is a token of the stage, on a chain with the same decimals. */
function checkListed(stageName: string, { evm, fireblocks }: Custody, tokens: TokensFile): void {
  const file = `infra/parameters/${stageName}/tokens.json`;
  for (const [network, chain] of Object.entries(evm?.chains ?? {})) {
    for (const { custodianAssetId, decimals } of chain?.tokens ?? []) {
      const isKnown = tokens.some(({ networks }) => {
        const asset = new Map(Object.entries(networks)).get(network);
        return asset?.custodianAssetId === custodianAssetId && asset.decimals === decimals;
      });
      if (!isKnown)
        throw new BrokenParameters(
          `${file}: no token has ${custodianAssetId} with ${decimals} decimals on ${network}, which evm.chains of the settings lists.`,
        );
    }
  }
  const held = Object.entries(fireblocks?.networks ?? {}).flatMap(([network, { assets }]) =>
    Object.keys(assets).map((symbol) => ({ network, symbol })),
  );
  const unknown = held.find(
    ({ network, symbol }) => !tokens.some(({ token, networks }) => token === symbol && network in networks),
  );
  if (unknown !== undefined)
    throw new BrokenParameters(
      `${file}: no token ${unknown.symbol} is on ${unknown.network}, where fireblocks.networks of the settings has it.`,
    );
}

function readList<Schema extends z.ZodMiniType>(file: string, schema: Schema): z.infer<Schema> {
  const shownFile = relative(projectDirectory, file);
  const json = parse(shownFile, readFileSync(file, 'utf8'));
  const list = schema.safeParse(json.value, { reportInput: true });
  if (list.success) return list.data;
  const faults = list.error.issues.flatMap(faultsOf).map(({ path, message }) => ({ line: json.lineOf(path), message }));
  const inOrder = faults.toSorted((one, other) => one.line - other.line);
  throw new BrokenParameters(inOrder.map(({ line, message }) => `${shownFile}:${line}: ${message}`).join('\n'));
}

function parse(shownFile: string, text: string): JsonWithLines {
  try {
    return parseJsonWithLines(text);
  } catch (error) {
    throw error instanceof NotJson ? new BrokenParameters(`${shownFile}:${error.line}: ${error.message}`) : error;
  }
}

interface Fault {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

function faultsOf(issue: z.core.$ZodIssue): readonly Fault[] {
  const path = issue.path.map((part) => (typeof part === 'number' ? part : String(part)));
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: [...path, key], message: `${nameOf([...path, key])} is not known` }));
  }
  return [{ path, message: `${nameOf(path)} ${complaint(issue)}` }];
}

function complaint(issue: z.core.$ZodIssue): string {
  if (issue.input === undefined) return 'is missing';
  return issue.code === 'invalid_type' ? `must be of type ${issue.expected}` : issue.message;
}

/** The name of a field, whichever entry it is in: `networks.POLYGON.decimals`. */
function nameOf(path: readonly (string | number)[]): string {
  const [entry, ...within] = path;
  if (entry === undefined) return 'the list';
  return within.length === 0 ? 'the entry' : within.join('.');
}
