import { clientRoutes, clientSandboxRoutes } from '#infra/clients/routes.ts';
import { docsRoutes } from '#infra/docs/routes.ts';
import { offRampRoutes, offRampSandboxRoutes } from '#infra/off-ramps/routes.ts';
import { parameterRoutes } from '#infra/parameters/routes.ts';
import { payInRoutes, payInSandboxRoutes } from '#infra/pay-ins/routes.ts';
import { webhookRoutes } from '#infra/webhooks/routes.ts';
import type { Endpoint } from './endpoint.ts';

/** Every route of the service, in the order in which the published document has them. */
export const endpoints: readonly Endpoint[] = [
  ...clientRoutes,
  ...payInRoutes,
  ...offRampRoutes,
  ...webhookRoutes,
  ...parameterRoutes,
  ...docsRoutes,
];

/** Routes that exist to try things out; never deployed to production. */
export const sandboxEndpoints: readonly Endpoint[] = [
  ...offRampSandboxRoutes,
  ...payInSandboxRoutes,
  ...clientSandboxRoutes,
];
