import { serviceEvent } from '#shared/events/service-event.ts';
import type { OffRamp } from '#shared/off-ramps/model/off-ramp.ts';
import type { Verification } from '#shared/off-ramps/model/verification.ts';
import { findClaimant } from '#shared/off-ramps/store/claims.ts';
import { createHashSearches } from '#shared/off-ramps/store/hash-searches.ts';
import { createOffRampRepository } from '#shared/off-ramps/store/off-ramp-repository.ts';
import { createVerificationRepository } from '#shared/off-ramps/store/verification-repository.ts';
import { createBeginAttempt } from '#shared/off-ramps/transitions/begin-attempt.ts';
import { createCreditDeposit } from '#shared/off-ramps/transitions/credit-deposit.ts';
import { createEndOperation } from '#shared/off-ramps/transitions/end-operation.ts';
import { createEndWindow } from '#shared/off-ramps/transitions/end-window.ts';
import { insertOperation } from '#shared/off-ramps/transitions/insert-operation.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { OPERATION } from './ids.ts';
import { RULES } from './off-ramp.ts';
import { tablesInMemory } from './tables-in-memory.ts';

export const TABLES = { operations: 'operations', hashes: 'hashes', deposits: 'deposits', events: 'events' } as const;

/**
 * Off-ramps in the service's tables in memory, and everything that writes to them: under the service's conditions or,
 * where a comment says so, without conditions.
 */
export function offRampsInMemory(clock: Clock, ...stored: readonly OffRamp[]) {
  const { dynamo, table, writes, beforeNextWrite } = tablesInMemory();
  const operations = createOffRampRepository(dynamo, TABLES.operations);
  const records = table(TABLES.operations);
  const claims = table(TABLES.hashes);
  const put = (operation: OffRamp) => {
    records.put({
      ...operation,
      record: 'OPERATION',
      ...(operation.status === 'AWAITING_DEPOSIT' && { awaitingShard: operation.clientId }),
    });
  };
  for (const operation of stored) put(operation);

  const putVerification = (verification: Verification) => {
    const dueShard = verification.nextCheckAt && verification.clientId;
    records.put({ ...verification, record: 'VERIFICATION', dueShard });
  };

  /** An operation and its current verification as they stand. */
  async function kept(operationId = OPERATION) {
    const state = await operations.findWithVerification(operationId);
    if (state === undefined) throw new Error(`There is no operation ${operationId}.`);
    return state;
  }

  /** The current verification of the operation, which has one. */
  async function current(): Promise<Verification> {
    const { verification } = await kept();
    if (verification === undefined) throw new Error('The operation has no verification.');
    return verification;
  }

  return {
    dynamo,
    table,
    /** The number of writes; a transaction is one, whatever the number of its legs. */
    writes,
    beforeNextWrite,
    operations,
    verifications: createVerificationRepository(dynamo, TABLES.operations, clock),
    searches: createHashSearches(dynamo, TABLES.deposits, clock),
    create: (operation: OffRamp) => insertOperation(dynamo, TABLES, operation),
    beginAttempt: createBeginAttempt(dynamo, TABLES, clock),
    creditDeposit: createCreditDeposit(dynamo, TABLES, clock, RULES),
    endOperation: createEndOperation(dynamo, TABLES, clock),
    endWindow: createEndWindow(dynamo, TABLES, clock),
    kept,
    current,
    count: () => records.items().filter(({ record }) => record === 'OPERATION').length,

    /** Changes an operation as others do, without conditions. */
    async change(differences: Partial<OffRamp>, operationId = OPERATION): Promise<void> {
      const { operation } = await kept(operationId);
      put({ ...operation, sequence: operation.sequence + 1, ...differences });
    },

    /** Writes the current verification of an operation, without conditions. */
    putVerification,

    /** Changes the current verification as another poll does, without conditions. */
    async changeVerification(differences: Pick<Verification, 'nextCheckAt'>): Promise<void> {
      putVerification({ ...(await current()), ...differences });
    },

    /** Lets another operation, which need not exist, declare a hash or be funded by it. */
    claim(kind: 'DECLARED' | 'FUNDED', txHash: string, operationId: string): void {
      claims.put({ claim: `${kind}#${txHash}`, operationId });
    },

    findClaimant: (kind: 'DECLARED' | 'FUNDED', txHash: string) => findClaimant(dynamo, TABLES.hashes, kind, txHash),

    /** The events in the outbox, as clients receive them. */
    told: (): readonly unknown[] =>
      table(TABLES.events)
        .items()
        .map((item) => JSON.parse(serviceEvent.parse(item).body)),
  };
}
