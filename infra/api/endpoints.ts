import { clientRoutes, clientSandboxRoutes } from '#infra/clients/routes.ts';
import { docsRoutes } from '#infra/docs/routes.ts';
import { eventRoutes } from '#infra/events/routes.ts';
import { offRampRoutes } from '#infra/off-ramps/routes.ts';
import { offRampSandboxRoutes } from '#infra/off-ramps/simulation-routes.ts';
import { parameterRoutes } from '#infra/parameters/routes.ts';
import { payInRoutes, payInSandboxRoutes } from '#infra/pay-ins/routes.ts';
import { type Endpoint, moduleEndpoints } from '#infra/platform/route.ts';
import { webhookRoutes } from '#infra/webhooks/routes.ts';

/** Every route of the service, in the order in which the published document has them. */
export const endpoints: readonly Endpoint[] = [
  ...moduleEndpoints('clients', clientRoutes),
  ...moduleEndpoints('pay-ins', payInRoutes),
  ...moduleEndpoints('off-ramps', offRampRoutes),
  ...moduleEndpoints('events', eventRoutes),
  ...moduleEndpoints('webhooks', webhookRoutes),
  ...moduleEndpoints('parameters', parameterRoutes),
  ...moduleEndpoints('docs', docsRoutes),
];

/** Routes that exist to try things out; never deployed to production. */
export const sandboxEndpoints: readonly Endpoint[] = [
  ...moduleEndpoints('off-ramps', offRampSandboxRoutes),
  ...moduleEndpoints('pay-ins', payInSandboxRoutes),
  ...moduleEndpoints('clients', clientSandboxRoutes),
];
