import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import type { Item } from '#test/simulation/aws/dynamodb/attribute-values.ts';
import type { Engine } from '#test/simulation/aws/dynamodb/engine.ts';

/** What the tables hold, as far as the invariants speak of it; read without the service's own code. */
export interface Records {
  readonly operations: readonly OperationRecord[];
  readonly verifications: ReadonlyMap<string, VerificationRecord>;
  readonly declared: readonly Claim[];
  readonly funded: readonly Claim[];
  readonly deposits: readonly DepositRecord[];
  /** The windows whose end was published. */
  readonly windowsEnded: readonly { readonly operationId: string; readonly attempt: number }[];
}

export interface OperationRecord {
  readonly id: string;
  readonly status: string;
  readonly sequence: number;
  readonly attempt: number;
  readonly txHash: string | undefined;
  readonly verifiedTxHash: string | undefined;
  readonly userId: string;
  readonly address: string;
  /** What it waits for or has got: the same for twins. */
  readonly expects: string;
  readonly isInAwaitingIndex: boolean;
  /** Statuses, oldest first. */
  readonly history: readonly string[];
}

interface VerificationRecord {
  readonly attempt: number;
  readonly txHash: string | undefined;
  readonly windowEndsAt: string;
  readonly reason: string | undefined;
  readonly hasNextPoll: boolean;
  readonly isInDueIndex: boolean;
}

export interface Claim {
  readonly txHash: string;
  readonly operationId: string;
}

export interface DepositRecord {
  readonly transferId: string;
  readonly txHash: string | undefined;
  readonly firstNotifiedAt: string;
  readonly lastNotifiedAt: string;
  readonly creditedTo: string | undefined;
  readonly isUnmatched: boolean;
  readonly isReversed: boolean;
  readonly isInDueIndex: boolean;
  readonly isArriving: boolean;
}

export function recordsIn({ tables }: Engine): Records {
  const items = (name: string) => tables.get(name)?.items() ?? [];
  const operations = items('operations');
  const claims = items('hashes');
  return {
    operations: operations.filter(isA('OPERATION')).map(operationIn),
    verifications: new Map(
      operations.filter(isA('VERIFICATION')).map((item) => [text(item['operationId']), verificationIn(item)]),
    ),
    declared: claimsOf('DECLARED#', claims),
    funded: claimsOf('FUNDED#', claims),
    deposits: items('deposits')
      .filter((item) => !text(item['custodianTransferId']).startsWith('HASH#'))
      .map(depositIn),
    windowsEnded: items('events')
      .filter(isWindowEnded)
      .map(({ body }) => windowEnded.parse(JSON.parse(text(body))).data),
  };
}

const windowEnded = z.object({ data: z.object({ operationId: z.string(), attempt: z.int() }) });

function isWindowEnded({ type }: Item): boolean {
  return type?.S === 'ramp.deposit_hash.window_ended';
}

function isA(record: string) {
  return (item: Item): boolean => item['record']?.S === record;
}

function operationIn(item: Item): OperationRecord {
  return {
    id: text(item['operationId']),
    status: text(item['status']),
    sequence: Number(item['sequence']?.N),
    attempt: Number(item['attempt']?.N),
    txHash: item['txHash']?.S,
    verifiedTxHash: item['verifiedTxHash']?.S,
    userId: text(item['userId']),
    address: text(item['address']),
    expects: ['address', 'custodianAssetId', 'amount', 'senderAddress'].map((name) => text(item[name])).join(),
    isInAwaitingIndex: 'awaitedDepositKey' in item,
    history: (item['statusHistory']?.L ?? []).map((entry) => text(entry.M?.['status'])),
  };
}

function verificationIn(item: Item): VerificationRecord {
  return {
    attempt: Number(item['attempt']?.N),
    txHash: item['txHash']?.S,
    windowEndsAt: text(item['windowEndsAt']),
    reason: item['reason']?.S,
    hasNextPoll: 'nextCheckAt' in item,
    isInDueIndex: 'dueShard' in item && 'nextCheckAt' in item,
  };
}

function claimsOf(kind: string, claims: readonly Item[]): readonly Claim[] {
  return claims
    .filter((item) => text(item['claim']).startsWith(kind))
    .map((item) => ({ txHash: text(item['claim']).slice(kind.length), operationId: text(item['operationId']) }));
}

function depositIn(item: Item): DepositRecord {
  return {
    transferId: text(item['custodianTransferId']),
    txHash: item['txHash']?.S,
    firstNotifiedAt: text(item['firstNotifiedAt']),
    lastNotifiedAt: text(item['lastNotifiedAt']),
    creditedTo: item['creditedTo']?.S,
    isUnmatched: item['unmatched']?.S === 'UNMATCHED',
    isReversed: item['unmatched']?.S === 'REVERSED',
    isInDueIndex: 'dueShard' in item && 'dueAt' in item,
    isArriving: 'arrivingAt' in item,
  };
}

function text(value: AttributeValue | undefined): string {
  return value?.S ?? '';
}
