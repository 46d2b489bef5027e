import { clientOperatorRoutes } from '#infra/clients/operator-routes.ts';
import { offRampOperatorRoutes } from '#infra/off-ramps/operator-routes.ts';
import { parameterOperatorRoutes } from '#infra/parameters/operator-routes.ts';
import { payInOperatorRoutes } from '#infra/pay-ins/operator-routes.ts';
import type { OperatorRoute } from '#infra/platform/operator-route.ts';
import { webhookOperatorRoutes } from '#infra/webhooks/operator-routes.ts';
import { operationRoutes } from './operation-routes.ts';

interface Owner {
  /** Below `functions`: the function of its commands. */
  readonly folder: string;
  /** What that function changes. */
  readonly changes: string;
  readonly routes: readonly OperatorRoute[];
}

/**
 * Everything that operators look up and change, by the modules that it belongs to: routes and commands are made from it.
 * The commands of a module are one function, which may do no more than they need. Redriving is a function alone, because
 * it may put any message into a queue of work.
 */
export const operatorModules: readonly Owner[] = [
  { folder: 'operators/redrive-dead-letters', changes: 'dead letters', routes: operationRoutes },
  { folder: 'operators/operate-clients', changes: 'clients, users and wallets', routes: clientOperatorRoutes },
  { folder: 'operators/operate-off-ramps', changes: 'off-ramps and deposits', routes: offRampOperatorRoutes },
  { folder: 'operators/operate-pay-ins', changes: 'pay-ins', routes: payInOperatorRoutes },
  { folder: 'operators/operate-parameters', changes: 'banks and tokens', routes: parameterOperatorRoutes },
  { folder: 'operators/operate-webhooks', changes: 'webhooks', routes: webhookOperatorRoutes },
];

export const operatorRoutes: readonly OperatorRoute[] = operatorModules.flatMap(({ routes }) => routes);
