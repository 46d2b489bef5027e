import { clientOperatorRoutes } from '#infra/clients/operator-routes.ts';
import { offRampOperatorRoutes } from '#infra/off-ramps/operator-routes.ts';
import { parameterOperatorRoutes } from '#infra/parameters/operator-routes.ts';
import { payInOperatorRoutes } from '#infra/pay-ins/operator-routes.ts';
import type { OperatorRoute } from '#infra/platform/operator-route.ts';
import { webhookOperatorRoutes } from '#infra/webhooks/operator-routes.ts';
import { bookRoutes } from './book-routes.ts';
import { operationRoutes } from './operation-routes.ts';
import { personRoutes } from './person-routes.ts';

interface Owner {
  /** Below `functions`: the function of its look-ups, which can change nothing. */
  readonly looksUp: string;
  /** Below `functions`: the function of its commands. */
  readonly changes: string;
  /** The records that these look up and change, in words. */
  readonly of: string;
  readonly routes: readonly OperatorRoute[];
}

const owner = (module: string, of: string, routes: readonly OperatorRoute[]): Owner => ({
  looksUp: `${module}/look-up-${module}`,
  changes: `${module}/operate-${module}`,
  of,
  routes,
});

/**
 * All look-ups and commands of operators, by module; the API's routes and the commands are made from this list. A
 * module has one function for its look-ups and another for its commands, which may do no more than they need. Redriving
 * has its own function, because it may put any message into a work queue.
 */
export const operatorModules: readonly Owner[] = [
  {
    looksUp: 'operators/look-up',
    changes: 'operators/redrive-dead-letters',
    of: 'dead letters',
    routes: operationRoutes,
  },
  {
    looksUp: 'operators/export-user',
    changes: 'operators/erase-user',
    of: "persons' data",
    routes: personRoutes,
  },
  {
    looksUp: 'operators/look-up-books',
    changes: 'operators/operate-books',
    of: 'the books and proposals',
    routes: bookRoutes,
  },
  owner('clients', 'clients, users and wallets', clientOperatorRoutes),
  owner('off-ramps', 'off-ramps and deposits', offRampOperatorRoutes),
  owner('pay-ins', 'pay-ins', payInOperatorRoutes),
  owner('parameters', 'banks and tokens', parameterOperatorRoutes),
  owner('webhooks', 'webhooks', webhookOperatorRoutes),
];

export const operatorRoutes: readonly OperatorRoute[] = operatorModules.flatMap(({ routes }) => routes);
