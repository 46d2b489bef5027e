import { clientOperatorRoutes } from '#infra/clients/operator-routes.ts';
import { offRampOperatorRoutes } from '#infra/off-ramps/operator-routes.ts';
import { parameterOperatorRoutes } from '#infra/parameters/operator-routes.ts';
import { payInOperatorRoutes } from '#infra/pay-ins/operator-routes.ts';
import { webhookOperatorRoutes } from '#infra/webhooks/operator-routes.ts';
import { operationRoutes } from './operation-routes.ts';
import type { OperatorRoute } from './operator-route.ts';

/** Everything that operators look up and change, by the modules that it belongs to: routes and commands are made from it. */
export const operatorRoutes: readonly OperatorRoute[] = [
  ...operationRoutes,
  ...clientOperatorRoutes,
  ...offRampOperatorRoutes,
  ...payInOperatorRoutes,
  ...parameterOperatorRoutes,
  ...webhookOperatorRoutes,
];
