import { directoryEntry } from '#shared/clients/client-directory.ts';
import type { CustodianTransfer } from '#shared/off-ramps/custodians/custodian.ts';
import { type Deposit, storedTransfer } from '#shared/off-ramps/model/deposit.ts';
import type { OffRamp } from '#shared/off-ramps/model/off-ramp.ts';
import type { Verification } from '#shared/off-ramps/model/verification.ts';
import { insertOperation } from '#shared/off-ramps/transitions/insert-operation.ts';
import { readOperationContract } from '#shared/operators/lookups.ts';
import { OPERATION } from './ids.ts';
import { newClient } from './new-client.ts';
import { CREATED_AT, offRamp, transfer, verification } from './off-ramp.ts';
import { operatorsWorld } from './operators-world.ts';

/** An off-ramp, half an hour after its creation, that operators look up. */
export function lookUpWorld(at = '2026-08-01T12:30:00.000Z') {
  const world = operatorsWorld(at);
  const { table } = world;
  const put = (operation: OffRamp) => table('operations').put({ ...operation, record: 'OPERATION' });
  const approval = (status: string) =>
    table('clients').put({
      ...{ clientId: offRamp().clientId, complianceStatus: 'approved', status, secretDigests: [] },
      ...directoryEntry(newClient()),
    });
  approval('approved');
  return {
    ...world,
    put,
    approval,
    /** Writes an off-ramp as its creation does, with its address and its event. */
    create: async (operation: OffRamp) => {
      const tables = { operations: 'operations', hashes: 'hashes', events: 'events', deposits: 'deposits' };
      await insertOperation(world.dynamo, tables, operation);
    },
    putVerification: (differences: Partial<Verification> = {}) => {
      put(offRamp({ txHash: verification().txHash, attempt: 1 }));
      table('operations').put({ ...verification(differences), record: 'VERIFICATION' });
    },
    putDeposit: (facts: Partial<CustodianTransfer>, differences: Partial<Deposit> = {}) => {
      const { custodianTransferId, network, txHash } = transfer(facts);
      table('deposits').put({
        ...{ custodianTransferId, network, txHash, operationId: OPERATION, detectedAt: CREATED_AT },
        ...{ firstNotifiedAt: CREATED_AT, lastNotifiedAt: CREATED_AT },
        transfer: storedTransfer(transfer(facts)),
        ...differences,
      });
    },
    lookAt: world.look,
    look: async (operation: string = OPERATION, user?: string) =>
      (await world.look(readOperationContract, { operation, ...(user !== undefined && { user }) })).body,
  };
}
