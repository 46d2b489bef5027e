import { type Network, type NetworkRules, network, networkSpecs } from '#shared/networks/network.ts';
import type { CustodianTransfer } from '#shared/off-ramps/custodians/custodian.ts';
import type { OffRamp } from '#shared/off-ramps/model/off-ramp.ts';
import type { ReturnTerms } from '#shared/off-ramps/model/returns.ts';
import type { Verification } from '#shared/off-ramps/model/verification.ts';
import { mapValues } from '#shared/platform/collections.ts';
import { CLIENT, OPERATION, USER, WALLET } from './ids.ts';

export const CREATED_AT = '2026-08-01T12:00:00.000Z';
export const EXPIRES_AT = '2026-08-02T12:00:00.000Z';
export const ENDS_AT = '2026-09-01T12:00:00.000Z';

export const DEPOSIT_ADDRESS = `0x${'a1'.repeat(20)}`;
export const SENDER_ADDRESS = `0x${'b2'.repeat(20)}`;
export const HASH = `0x${'cd'.repeat(32)}`;
export const OTHER_HASH = `0x${'ef'.repeat(32)}`;

const rules: NetworkRules = { finalitySeconds: 180 };

/** One custodian for every network. */
export function onEveryNetwork<Custodian>(custodian: Custodian): ReadonlyMap<Network, Custodian> {
  return new Map(network.options.map((one) => [one, custodian]));
}

export const RULES = mapValues(networkSpecs, () => rules);

export const TREASURY = `0x${'77'.repeat(20)}`;

/** The custodian sends deposits on Ethereum back, for a fee of 1.5 USDC or 0 USDT. */
export const RETURN_TERMS = {
  routes: { ETHEREUM: { from: TREASURY, treasury: [], isByHand: false } },
  fees: { 'ETHEREUM:USDC': '1.5', 'ETHEREUM:USDT': '0' },
} satisfies ReturnTerms;

/** An operation that awaits 100.5 USDC on Ethereum, as it was created. */
export function offRamp(differences: Partial<OffRamp> = {}): OffRamp {
  return {
    operationId: OPERATION,
    clientId: CLIENT,
    userId: USER,
    status: 'AWAITING_DEPOSIT',
    sequence: 1,
    network: 'ETHEREUM',
    token: 'USDC',
    supportedTokenId: 1,
    custodianAssetId: 'ETHEREUM:USDC',
    address: DEPOSIT_ADDRESS,
    amount: '100.5',
    senderAddress: SENDER_ADDRESS,
    originExternalWalletId: WALLET,
    createdAt: CREATED_AT,
    expiresAt: EXPIRES_AT,
    endsAt: ENDS_AT,
    attempt: 0,
    ...differences,
  };
}

/** The first attempt of that operation, as its submission at noon starts it. */
export function verification(differences: Partial<Verification> = {}): Verification {
  return {
    operationId: OPERATION,
    attempt: 1,
    run: 1,
    clientId: CLIENT,
    amount: '100.5',
    token: 'USDC',
    network: 'ETHEREUM',
    txHash: HASH,
    windowStartsAt: CREATED_AT,
    windowEndsAt: EXPIRES_AT,
    nextCheckAt: CREATED_AT,
    ...differences,
  };
}

/** The final transfer that the operation awaits. */
export function transfer(differences: Partial<CustodianTransfer> = {}): CustodianTransfer {
  return {
    custodianTransferId: 'transfer-1',
    network: 'ETHEREUM',
    txHash: HASH,
    state: 'CONFIRMED',
    toAddress: DEPOSIT_ADDRESS,
    fromAddress: SENDER_ADDRESS,
    assetId: 'ETHEREUM:USDC',
    amount: '100.5',
    confirmations: 12,
    requiredConfirmations: 12,
    createdAt: CREATED_AT,
    ...differences,
  };
}
