import { Construct } from 'constructs';
import { EveryMinute } from './every-minute.ts';
import { allowFindingPayments } from './partners.ts';
import { type FunctionSurroundings, ServiceFunction } from './service-function.ts';

/** Open pay-ins are looked up at the rail: orders with an unknown outcome, and notifications that never came. */
export class PayinSettlement extends Construct {
  constructor(scope: Construct, id: string, surroundings: FunctionSurroundings) {
    super(scope, id);
    const settle = new ServiceFunction(this, surroundings, {
      folder: 'payins/settle-open-payins',
      movesMoney: true,
      tables: { payins: ['GetItem', 'Query:due', 'UpdateItem'], events: ['PutItem'] },
      memoryMegabytes: 512,
      timeoutSeconds: 55,
      clientsLose:
        'Pay-ins whose notification was lost stay open although they were paid, or one was paid in another amount.',
    });
    allowFindingPayments(settle, surroundings.stage);
    new EveryMinute(settle, 'Looks open pay-ins up at the rail.');
  }
}
