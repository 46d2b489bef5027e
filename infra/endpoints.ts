import { clientRoutes, clientSandboxRoutes } from './clients/routes.ts';
import { docsRoutes } from './docs/routes.ts';
import type { Endpoint } from './endpoint.ts';
import { offRampRoutes, offRampSandboxRoutes } from './off-ramps/routes.ts';
import { parameterRoutes } from './parameters/routes.ts';
import { payInRoutes, payInSandboxRoutes } from './pay-ins/routes.ts';
import { webhookRoutes } from './webhooks/routes.ts';

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
