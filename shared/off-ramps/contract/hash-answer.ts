import * as z from 'zod/mini';
import { knownSpelling, type Network, parseAddress } from '#shared/networks/network.ts';
import type { CustodianTransfer } from '#shared/off-ramps/custodians/custodian.ts';
import { isFinal, mismatchedFacts } from '#shared/off-ramps/model/deposit-match.ts';
import type { OffRamp } from '#shared/off-ramps/model/off-ramp.ts';
import {
  type EarlierAttempt,
  earlierAttempt,
  type LoggedPoll,
  loggedPoll,
} from '#shared/off-ramps/model/poll-schedule.ts';
import type { Verification } from '#shared/off-ramps/model/verification.ts';
import { canonicalAmount } from '#shared/platform/amount.ts';
import type { HashPolls } from './hash-poll-contract.ts';
import type { verificationCheck } from './off-ramp-hash-contract.ts';

/** Lists the polls of a verification in full, newest first. */
export function describePolls(verification: Verification | undefined): HashPolls {
  const { polls = [], earlierAttempts = [] } = verification ?? {};
  return {
    polls: z.parse(z.array(loggedPoll), polls).filter(isFirstWrite).map(describePoll).toReversed(),
    earlierAttempts: z.parse(z.array(earlierAttempt), earlierAttempts).map(describeAttempt).toReversed(),
  };
}

/** False for a repeated entry: the SDK writes a poll twice when the answer to the first write was lost. */
function isFirstWrite([at]: LoggedPoll, position: number, all: readonly LoggedPoll[]): boolean {
  return at !== all[position - 1]?.[0];
}

function describePoll([at, code, next]: LoggedPoll): HashPolls['polls'][number] {
  const found = { at: new Date(at).toISOString() };
  if (code === 'DEPOSIT_VERIFIED' || code === 'SUPERSEDED') return { ...found, outcome: code };
  if (next === undefined) return { ...found, outcome: 'WINDOW_ENDED', reason: code };
  return { ...found, outcome: 'LOOK_AGAIN', reason: code, nextCheckAt: new Date(next).toISOString() };
}

function describeAttempt([attempt, txHash, outcome, lastCheckedAt, reason]: EarlierAttempt) {
  return { attempt, txHash, outcome, reason, lastCheckedAt };
}

/** One fact of a deposit, compared with what the operation awaits. */
export type Check = z.infer<typeof verificationCheck>;

type Expected = Pick<
  OffRamp,
  'network' | 'token' | 'custodianAssetId' | 'address' | 'addressTag' | 'amount' | 'senderAddress'
>;

/**
 * Every check that credits a transfer to an operation (decisions.md 9, Evidence): all pass if and only if it is what
 * the operation awaits.
 */
export function checksOf(expected: Expected, transfer: CustodianTransfer): readonly Check[] {
  const { network } = expected;
  const missed = new Set(mismatchedFacts(expected, transfer));
  const isToken = !missed.has('WRONG_TOKEN');
  return [
    {
      check: 'ADDRESS',
      passed: !missed.has('WRONG_ADDRESS'),
      expected: withTag(expected, expected.address, expected.addressTag),
      ...observed(withTag(expected, transfer.toAddress, transfer.toTag)),
    },
    {
      check: 'TOKEN',
      passed: isToken,
      expected: `${network}:${expected.token}`,
      observed: `${transfer.network}:${isToken ? expected.token : transfer.assetId}`,
    },
    {
      check: 'AMOUNT',
      passed: !missed.has('WRONG_AMOUNT'),
      expected: expected.amount,
      ...observed(canonicalAmount(transfer.amount) ?? transfer.amount),
    },
    {
      check: 'SENDER',
      passed: !missed.has('WRONG_SENDER'),
      expected: account(network, expected.senderAddress, expected.senderAddress),
      ...observed(account(network, transfer.fromAddress, expected.senderAddress)),
    },
    {
      check: 'CONFIRMATIONS',
      passed: isFinal(transfer),
      ...finality(transfer),
    },
  ];
}

/** What the custodian's finality depends on: a number of confirmations, the final block, or an undisclosed policy. */
function finality({
  confirmations,
  requiredConfirmations,
  block,
}: CustodianTransfer): Pick<Check, 'expected' | 'observed'> {
  const count = observed(String(confirmations ?? ''));
  if (requiredConfirmations !== undefined) return { expected: String(requiredConfirmations), ...count };
  if (block !== undefined) return { expected: 'finalized block', ...observed(String(block)) };
  return { expected: "custodian's policy", ...count };
}

/** Leaves out an unknown value, which is empty. */
function observed(text: string): Pick<Check, 'observed'> {
  return text === '' ? {} : { observed: text };
}

/**
 * An account in the spelling that the client knows, so that equal accounts are equal texts. Other accounts are in
 * normal form, and a text that is not an address is unchanged.
 */
function account(network: Network, text: string, known: string): string {
  return knownSpelling(network, text, known) ?? parseAddress(network, text)?.address ?? text;
}

function withTag({ network, address }: Expected, text: string, given: string | undefined): string {
  const tag = given || parseAddress(network, text)?.tag;
  const to = account(network, text, address);
  return tag === undefined ? to : `${to}#${tag}`;
}
