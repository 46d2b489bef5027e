import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type * as z from 'zod/mini';
import type { EvmChains } from '#shared/off-ramps/custodians/evm/evm-chain.ts';
import type { ParameterLists } from '#shared/parameters/parameter-lists.ts';
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
  readonly decimals: Readonly<Record<string, number>>;
  readonly returnFees: Readonly<Record<string, string>>;
}

/**
 * The lists of a stage, from its folder of files; on a network that is read from its nodes only the tokens that the
 * settings list there.
 *
 * @throws {BrokenParameters}
 */
export function readParameterLists(
  stageName: string,
  chains: EvmChains = {},
  directory = parametersDirectory,
): ParameterLists {
  const banks = readList(join(directory, stageName, 'banks.json'), banksFile);
  const tokens = readTokens(stageName, directory);
  checkChains(stageName, chains, tokens);
  const isServed = (network: string, custodianAssetId: string) =>
    Object.entries(chains).every(
      ([one, chain]) => one !== network || chain?.tokens.some((listed) => listed.custodianAssetId === custodianAssetId),
    );
  return {
    banks,
    tokens: tokens.map(({ id, logo, networks, ...token }) => ({
      ...token,
      networks: Object.fromEntries(
        Object.entries(networks).flatMap(([network, { custodianAssetId, decimals, minimum, maximum }]) =>
          isServed(network, custodianAssetId) ? [[network, { custodianAssetId, decimals, minimum, maximum }]] : [],
        ),
      ),
      tokenId: id,
      ...(logo !== undefined && { logoBase64: logo }),
    })),
  };
}

/**
 * What deposits of each token of a stage have to reach, how many decimals it has, and what it costs to send it back, by
 * the custodian's id of it.
 *
 * @throws {BrokenParameters}
 */
export function readDepositTerms(stageName: string, directory = parametersDirectory): DepositTerms {
  const assets = readTokens(stageName, directory).flatMap(({ networks }) => Object.values(networks));
  return {
    minimumDeposits: Object.fromEntries(assets.map((asset) => [asset.custodianAssetId, asset.minimumDeposit])),
    decimals: Object.fromEntries(assets.map((asset) => [asset.custodianAssetId, asset.decimals])),
    returnFees: Object.fromEntries(assets.map((asset) => [asset.custodianAssetId, asset.returnFee ?? '0'])),
  };
}

/** What is listed of a chain is a token of the stage, in the same units. */
function checkChains(stageName: string, chains: EvmChains, tokens: ReturnType<typeof readTokens>): void {
  const assets = tokens.flatMap(({ networks }) => Object.entries(networks));
  for (const [network, chain] of Object.entries(chains)) {
    for (const { custodianAssetId, decimals } of chain?.tokens ?? []) {
      const isKnown = assets.some(
        ([one, asset]) => one === network && asset.custodianAssetId === custodianAssetId && asset.decimals === decimals,
      );
      if (!isKnown)
        throw new BrokenParameters(
          `infra/parameters/${stageName}/tokens.json: no token has ${custodianAssetId} with ${decimals} decimals on ${network}, which evm.chains of the settings lists.`,
        );
    }
  }
}

function readTokens(stageName: string, directory: string) {
  return readList(join(directory, stageName, 'tokens.json'), tokensFile(join(directory, 'logos')));
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

/** `networks.POLYGON.decimals`, whichever entry it is of. */
function nameOf(path: readonly (string | number)[]): string {
  const [entry, ...within] = path;
  if (entry === undefined) return 'the list';
  return within.length === 0 ? 'the entry' : within.join('.');
}
