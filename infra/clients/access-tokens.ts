import type { Construct } from 'constructs';
import type { Keys } from '#infra/platform/keys.ts';
import { type FunctionContext, ServiceFunction } from '#infra/platform/service-function.ts';
import type { Stage } from '#infra/stage/stages.ts';

/** Tells a function who issues access tokens, and for whom. */
export function nameTokenIssuer(fn: ServiceFunction, { name }: Stage): ServiceFunction {
  return fn.setting('TOKEN_ISSUER', `payin-offramp/${name}`).setting('TOKEN_AUDIENCE', `payin-offramp/${name}/api`);
}

/** Authorises a call by its access token. */
export function createAuthorizer(scope: Construct, context: FunctionContext, keys: Keys): ServiceFunction {
  const authorizer = new ServiceFunction(scope, context, {
    folder: 'clients/authorize-request',
    memoryMegabytes: 512,
    timeoutSeconds: 10,
    impact: 'Clients are refused on every route that needs an access token.',
    faultCode: 'AUTHORIZER_FAILED',
    concurrencyGroup: 'authorizer',
    hasVersions: true,
  });
  return nameTokenIssuer(authorizer, context.stage).useKey('TOKEN_KEY_ID', keys.accessTokens, 'kms:GetPublicKey');
}
