import { CfnOutput, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { ServedRoute } from '#infra/api/api-body.ts';
import { ApiLogging } from '#infra/api/api-logging.ts';
import { endpoints, sandboxEndpoints } from '#infra/api/endpoints.ts';
import { HttpApi } from '#infra/api/http-api.ts';
import { innerUrl } from '#infra/api/inner-url.ts';
import { countDeclined, createRoutesLog } from '#infra/api/routes-log.ts';
import { admitProviders, alarmOnThrottling, limitTokensByAddress } from '#infra/api/web-acl.ts';
import { alarmOnAuthorizer, createAuthorizer } from '#infra/clients/access-tokens.ts';
import { type Endpoint, type Permission, servedContract } from '#infra/platform/route.ts';
import { type FunctionContext, ServiceFunction } from '#infra/platform/service-function.ts';
import type { Stage } from '#infra/stage/stages.ts';
import { DOCS_PATH } from '#shared/platform/http/answer.ts';
import { type Contract, methodsAndPathsOf } from '#shared/platform/http/contract.ts';
import { createPermissions, type ServiceParts } from './route-permissions.ts';

/** Clients call one API; providers call another, which has no client certificates and no allowlist. */
type Api = 'clients' | 'providers';

function apiOf({ access }: Contract): Api {
  return access === 'provider' ? 'providers' : 'clients';
}

/** What every API of a stage uses. */
export interface ApiContext {
  /** Grants a function what its route may do besides using tables. */
  readonly allow: Readonly<Record<Permission, (fn: ServiceFunction) => void>>;
  readonly logging: ApiLogging;
  /** The API that clients call. */
  readonly clients: HttpApi;
}

/** The API that clients call and the one that providers notify, with a function for every route. */
export function createApis(scope: Construct, context: FunctionContext, parts: ServiceParts): ApiContext {
  const { stage } = context;
  const { admin, api, providers: notified } = stage.settings.domains ?? {};
  const allow = createPermissions(
    stage,
    parts,
    () => innerUrl(stage, providers),
    () => clients.usagePlan?.ref,
  );
  const log = createRoutesLog(scope, stage);
  const serve = (which: Api): readonly ServedRoute[] =>
    endpointsOf(which, stage).flatMap((endpoint) => {
      const { alsoServes = [], permissions = [], countsAs, environment, memoryMegabytes = 512 } = endpoint;
      const limits = { memoryMegabytes, timeoutSeconds: 25 };
      const served = new ServiceFunction(scope, context, { ...endpoint, ...limits, log });
      if (stage.docsUrl !== undefined) served.setting('DOCS_URL', stage.docsUrl);
      for (const permission of permissions) allow[permission](served);
      if (countsAs !== undefined) served.setting('MOST_PER_DAY', String(stage.mostPerDay[countsAs]));
      for (const [name, value] of Object.entries(environment?.(stage) ?? {})) served.setting(name, value);
      return [servedContract(stage, endpoint), ...alsoServes].map((one) => ({ contract: one, lambda: served.live }));
    });
  const logging = new ApiLogging(scope, 'ApiLogging');
  const common = { stage, logging };
  const providers = new HttpApi(scope, 'Providers', {
    ...common,
    description: 'What providers notify',
    domains: { providers: notified },
    isGuarded: false,
    callsPeople: true,
    routes: serve('providers'),
    routeThrottling: throttlingOf('providers', stage),
  });
  const authorizer = createAuthorizer(scope, context, parts.keys);
  const clients = new HttpApi(scope, 'Clients', {
    ...common,
    description: 'What clients call',
    domains: { admin, api },
    isGuarded: true,
    callsPeople: true,
    // After the providers' API: functions that simulate providers need its address.
    routes: serve('clients'),
    declined: countDeclined(log),
    authorizer: authorizer.live,
    routeThrottling: throttlingOf('clients', stage),
  });
  // The local AWS has no web ACL.
  if (stage.name !== 'local')
    limitTokensByAddress(clients, clients.restApi, stage.docsUrl ?? `${innerUrl(stage, clients)}${DOCS_PATH}`);
  alarmOnAuthorizer(authorizer, clients.accessLog);
  alarmOnThrottling(providers.accessLog);
  admitProviders(providers, providers.restApi, stage);
  if (stage.hasDefaultEndpoint) {
    new CfnOutput(Stack.of(scope), 'ClientsApiUrl', { value: innerUrl(stage, clients) });
    new CfnOutput(Stack.of(scope), 'ProvidersApiUrl', { value: innerUrl(stage, providers) });
  }
  return { allow, logging, clients };
}

function endpointsOf(which: Api, { hasSandbox }: Stage): readonly Endpoint[] {
  return [...endpoints, ...(hasSandbox ? sandboxEndpoints : [])].filter(({ contract }) => apiOf(contract) === which);
}

/** Limits of single routes of an API, as `{path}/{METHOD}`. */
function throttlingOf(which: Api, stage: Stage) {
  return Object.fromEntries(
    endpointsOf(which, stage).flatMap((endpoint) => {
      const { throttling } = endpoint;
      const ofStage = typeof throttling === 'function' ? throttling(stage) : throttling;
      return ofStage
        ? methodsAndPathsOf(servedContract(stage, endpoint)).map(({ method, path }) => [`${path}/${method}`, ofStage])
        : [];
    }),
  );
}
