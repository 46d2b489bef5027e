import { type Endpoint, NOTIFICATIONS } from '#infra/api/endpoint.ts';
import { createPayin } from '#shared/pay-ins/create-payin-contract.ts';
import { getPayin } from '#shared/pay-ins/get-payin-contract.ts';
import { listPayins } from '#shared/pay-ins/list-payins-contract.ts';
import { receiveRailNotification } from '#shared/pay-ins/rails/rail-notification-contract.ts';
import { simulatePayin } from '#shared/pay-ins/simulate-payin-contract.ts';

/** Fiat that clients collect from their users. */
export const payInRoutes: readonly Endpoint[] = [
  {
    contract: createPayin,
    folder: 'pay-ins/create-payin',
    tables: {
      clients: ['GetItem'],
      users: ['GetItem'],
      parameters: ['Query'],
      payins: ['GetItem', 'PutItem', 'UpdateItem'],
      events: ['PutItem'],
      idempotency: ['UpdateItem', 'DeleteItem'],
    },
    needs: ['know the payin rules', 'order payments'],
    impact: 'Clients cannot collect fiat from their users.',
  },
  {
    contract: getPayin,
    folder: 'pay-ins/get-payin',
    tables: { payins: ['GetItem'] },
    needs: [],
    impact: 'Clients cannot read single pay-ins; payments continue.',
  },
  {
    contract: listPayins,
    folder: 'pay-ins/list-payins',
    tables: { users: ['GetItem'], payins: ['BatchGetItem', 'Query:byUser', 'Query:byReference'] },
    needs: [],
    impact: 'Clients cannot list pay-ins; payments continue.',
  },
  {
    contract: receiveRailNotification,
    folder: 'pay-ins/receive-rail-notification',
    tables: { payins: ['GetItem', 'UpdateItem'], events: ['PutItem'] },
    needs: ['verify rail notifications', 'find payments'],
    throttling: NOTIFICATIONS,
    concurrencyGroup: 'notifications',
    impact: 'Paid pay-ins are noticed late: by the poll of open pay-ins instead of by notification.',
  },
];

/** Never deployed to production. */
export const payInSandboxRoutes: readonly Endpoint[] = [
  {
    contract: simulatePayin,
    folder: 'pay-ins/simulate-payin',
    tables: { clients: ['GetItem'], payins: ['GetItem'], simulatedPayments: ['UpdateItem'] },
    needs: ['sign rail notifications'],
    impact: 'Developers of clients cannot simulate the end of pay-ins.',
  },
];
