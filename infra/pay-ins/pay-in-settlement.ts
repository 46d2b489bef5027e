import { Construct } from 'constructs';
import { allowFindingPayments } from '#infra/platform/partners.ts';
import { ScheduledFunction } from '#infra/platform/scheduled-function.ts';
import { type FunctionContext, ServiceFunction } from '#infra/platform/service-function.ts';

/** Pay-ins are looked up at the rail: orders with an unknown outcome, and notifications that never came. */
export class PayinSettlement extends Construct {
  constructor(scope: Construct, id: string, context: FunctionContext) {
    super(scope, id);
    const settle = new ServiceFunction(this, context, {
      folder: 'pay-ins/settle-open-payins',
      movesMoney: true,
      tables: { payins: ['GetItem', 'Query:due', 'UpdateItem'], events: ['PutItem'] },
      memoryMegabytes: 512,
      timeoutSeconds: 55,
      impact:
        'Pay-ins whose notification was lost stay open although they were paid, or one was paid in another amount.',
    });
    allowFindingPayments(settle, context.stage);
    new ScheduledFunction(settle, 'Looks open pay-ins up at the rail.');
  }
}
