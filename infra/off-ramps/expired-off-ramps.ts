import { Construct } from 'constructs';
import type { Keys } from '#infra/platform/keys.ts';
import { allowAskingCustodians } from '#infra/platform/partners.ts';
import { ScheduledFunction } from '#infra/platform/scheduled-function.ts';
import { type FunctionContext, ServiceFunction } from '#infra/platform/service-function.ts';

/** Ends off-ramps whose time is over without a deposit. */
export class ExpiredOffRamps extends Construct {
  constructor(scope: Construct, id: string, context: FunctionContext, keys: Keys) {
    super(scope, id);
    const { stage } = context;
    const sweep = new ServiceFunction(this, context, {
      folder: 'off-ramps/end-expired-operations',
      tables: {
        operations: ['Query', 'Query:awaiting', 'UpdateItem'],
        events: ['PutItem', 'Query'],
        hashes: ['DeleteItem'],
        deposits: ['GetItem', 'PutItem', 'UpdateItem', 'Query:arriving'],
        clients: ['Query:byName'],
      },
      memoryMegabytes: 256,
      timeoutSeconds: 55,
      impact: 'Unpaid off-ramps stay open after their `endsAt`; deposits are credited all the same.',
    }).setting('ENDS_AFTER_HOURS', String(stage.endsAfterHours));
    allowAskingCustodians(sweep, stage, keys, 'findTransfers');
    new ScheduledFunction(sweep, 'Ends expired unpaid off-ramps.');
  }
}
