import type { Network } from '#shared/networks/network.ts';
import type { ExpectedDeposit } from './deposit-match.ts';
import type { VerificationReason } from './verification-reason.ts';

/** decisions.md 4, Operation statuses. Only a confirmed deposit leads from AWAITING_DEPOSIT to PENDING. */
export const operationStatuses = ['AWAITING_DEPOSIT', 'PENDING', 'COMPLETED', 'CANCELLED', 'FAILED'] as const;

export type OperationStatus = (typeof operationStatuses)[number];

const transitions: Record<OperationStatus, readonly OperationStatus[]> = {
  AWAITING_DEPOSIT: ['PENDING', 'CANCELLED', 'FAILED'],
  PENDING: ['COMPLETED', 'FAILED', 'CANCELLED'],
  COMPLETED: [],
  CANCELLED: [],
  FAILED: [],
};

export function mayBecome(from: OperationStatus, to: OperationStatus): boolean {
  return transitions[from].includes(to);
}

/** Statuses that an operation does not leave. */
export const endStatuses = ['COMPLETED', 'CANCELLED', 'FAILED'] as const satisfies readonly OperationStatus[];

export type EndStatus = (typeof endStatuses)[number];

/** What others than a confirmed deposit may do to an operation: end it. */
export function mayEndAs(from: OperationStatus, to: OperationStatus): to is EndStatus {
  return to !== 'PENDING' && mayBecome(from, to);
}

interface StatusChange {
  readonly status: OperationStatus;
  readonly at: string;
  readonly reason?: string | undefined;
}

/** An off-ramp: the user sends a token from a declared wallet, and is paid out in fiat once the deposit is confirmed. */
export interface OffRamp extends ExpectedDeposit {
  readonly operationId: string;
  readonly clientId: string;
  readonly userId: string;
  readonly status: OperationStatus;
  /** Grows by one with every write of the operation; every write is conditional on the one it was decided on. */
  readonly sequence: number;
  readonly token: string;
  readonly supportedTokenId: number;
  readonly originExternalWalletId: string;
  readonly externalReference?: string | undefined;
  readonly createdAt: string;
  readonly expiresAt: string;
  /** Hash reported by the client, in its normal form. */
  readonly txHash?: string | undefined;
  /** Hash of the confirmed deposit. */
  readonly verifiedTxHash?: string | undefined;
  /** How often a hash was submitted that started a verification; 0 before the first. */
  readonly attempt: number;
  readonly statusHistory: readonly StatusChange[];
}

/** The current attempt to verify a reported hash. The only item that a look at the custodian writes. */
export interface Verification {
  readonly operationId: string;
  readonly attempt: number;
  /** Counts from 1 the executions of the attempt; one that broke off is followed by the next. */
  readonly run: number;
  readonly network: Network;
  readonly txHash: string;
  readonly windowStartsAt: string;
  readonly windowEndsAt: string;
  readonly reason?: VerificationReason | undefined;
  readonly confirmations?: number | undefined;
  readonly requiredConfirmations?: number | undefined;
  readonly lastCheckedAt?: string | undefined;
  readonly nextCheckAt?: string | undefined;
}

export const hashStatuses = ['NOT_SUBMITTED', 'VERIFYING', 'VERIFIED', 'NOT_VERIFIED'] as const;

export type HashStatus = (typeof hashStatuses)[number];

/** The hash status is derived from the operation alone and never stored (interface 3.2, decisions.md 4). */
export function hashStatusOf(operation: Pick<OffRamp, 'status' | 'txHash' | 'verifiedTxHash'>): HashStatus {
  if (operation.verifiedTxHash !== undefined) return 'VERIFIED';
  if (operation.status !== 'AWAITING_DEPOSIT') return 'NOT_VERIFIED';
  return operation.txHash === undefined ? 'NOT_SUBMITTED' : 'VERIFYING';
}

/** The end of the window of a submission: `expiresAt`, or a fixed time after a submission that comes later. */
export function windowEndFor(operation: OffRamp, submittedAt: Date, lateWindowSeconds: number): string {
  return submittedAt.toISOString() < operation.expiresAt
    ? operation.expiresAt
    : new Date(submittedAt.getTime() + lateWindowSeconds * 1000).toISOString();
}
