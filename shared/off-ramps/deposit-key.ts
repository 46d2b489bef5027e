import { parseAddress } from '#shared/networks/address.ts';
import type { Network } from '#shared/networks/network.ts';
import { canonicalAmount } from '#shared/platform/amount.ts';
import type { CustodianTransfer } from './custodians/custodian-transfer.ts';
import type { ExpectedDeposit } from './off-ramp.ts';

/**
 * The key under which deposits on their way are found by the operation that can await them, whatever their tag. It has
 * all facts, so that deposits of strangers to the same address are not found by it, however many there are.
 */
export function arrivingKey(transfer: CustodianTransfer): string {
  const to = parseAddress(transfer.network, transfer.toAddress);
  return depositKey(transfer.network, to?.address ?? '', {
    custodianAssetId: transfer.assetId,
    amount: transfer.amount,
    senderAddress: transfer.fromAddress,
  });
}

/** The same key for what an operation awaits. */
export function arrivingKeyFor(expected: ExpectedDeposit): string {
  const to = parseAddress(expected.network, expected.address);
  return depositKey(expected.network, to?.address ?? '', expected);
}

function depositKey(
  network: Network,
  address: string,
  facts: { custodianAssetId: string; amount: string; senderAddress: string },
): string {
  const sender = parseAddress(network, facts.senderAddress)?.address ?? '';
  const amount = canonicalAmount(facts.amount) ?? '';
  return [network, address, facts.custodianAssetId, amount, sender].join('|');
}
