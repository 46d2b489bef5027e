import type * as z from 'zod/mini';
import { parseAddress } from '#shared/networks/address.ts';
import type { Network } from '#shared/networks/network.ts';
import { canonicalAmount } from '#shared/platform/amount.ts';
import type { CustodianTransfer } from './custodians/custodian-transfer.ts';
import { hasEnoughConfirmations, missedFacts } from './deposit-match.ts';
import type { OffRamp } from './off-ramp.ts';
import type { verificationCheck } from './off-ramp-hash-contract.ts';

/** One fact of a deposit against what the operation awaits. */
export type Check = z.infer<typeof verificationCheck>;

type Expected = Pick<
  OffRamp,
  'network' | 'token' | 'custodianAssetId' | 'address' | 'addressTag' | 'amount' | 'senderAddress'
>;

/**
 * Every check that a transfer has to pass to be credited to an operation (decisions.md 9, Evidence): all of them pass if
 * and only if it is what the operation awaits.
 */
export function checksOf(
  expected: Expected,
  transfer: CustodianTransfer,
  minimumConfirmations: number,
): readonly Check[] {
  const { network } = expected;
  const missed = new Set(missedFacts(expected, transfer));
  const isToken = !missed.has('WRONG_TOKEN');
  return [
    {
      check: 'ADDRESS',
      passed: !missed.has('WRONG_ADDRESS'),
      expected: withTag(network, expected.address, expected.addressTag),
      ...observed(withTag(network, transfer.toAddress, transfer.toTag)),
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
      expected: account(network, expected.senderAddress),
      ...observed(account(network, transfer.fromAddress)),
    },
    {
      check: 'CONFIRMATIONS',
      passed: hasEnoughConfirmations(transfer, minimumConfirmations),
      expected: String(minimumConfirmations),
      observed: String(transfer.confirmations),
    },
  ];
}

/** What the custodian does not know yet is empty, and not shown. */
function observed(text: string): Pick<Check, 'observed'> {
  return text === '' ? {} : { observed: text };
}

/** In normal form, in which equal accounts are equal texts; one that cannot be read as it is. */
function account(network: Network, text: string): string {
  return parseAddress(network, text)?.address ?? text;
}

function withTag(network: Network, text: string, given: string | undefined): string {
  const tag = given || parseAddress(network, text)?.tag;
  return tag === undefined ? account(network, text) : `${account(network, text)}#${tag}`;
}
