import { clientRoutes, clientSandboxRoutes } from '#infra/clients/routes.ts';
import { docsRoutes } from '#infra/docs/routes.ts';
import { eventRoutes } from '#infra/events/routes.ts';
import { offRampRoutes } from '#infra/off-ramps/routes.ts';
import { offRampSandboxRoutes } from '#infra/off-ramps/simulation-routes.ts';
import { parameterRoutes } from '#infra/parameters/routes.ts';
import { payInRoutes, payInSandboxRoutes } from '#infra/pay-ins/routes.ts';
import { type Endpoint, inModule } from '#infra/platform/route.ts';
import { webhookRoutes } from '#infra/webhooks/routes.ts';

/** Every route of the service, in the order in which the published document has them. */
export const endpoints: readonly Endpoint[] = [
  ...inModule('clients', clientRoutes),
  ...inModule('pay-ins', payInRoutes),
  ...inModule('off-ramps', offRampRoutes),
  ...inModule('events', eventRoutes),
  ...inModule('webhooks', webhookRoutes),
  ...inModule('parameters', parameterRoutes),
  ...inModule('docs', docsRoutes),
];

/** Routes that exist to try things out; never deployed to production. */
export const sandboxEndpoints: readonly Endpoint[] = [
  ...inModule('off-ramps', offRampSandboxRoutes),
  ...inModule('pay-ins', payInSandboxRoutes),
  ...inModule('clients', clientSandboxRoutes),
];
