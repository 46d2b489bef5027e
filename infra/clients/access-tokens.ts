import { Duration } from 'aws-cdk-lib';
import { FilterPattern } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { FailureAlarm } from '#infra/platform/failure-alarm.ts';
import type { Keys } from '#infra/platform/keys.ts';
import { type FunctionContext, ServiceFunction } from '#infra/platform/service-function.ts';
import type { ServiceLog } from '#infra/platform/service-log.ts';
import type { Stage } from '#infra/stage/stages.ts';

/** Gives a function the issuer and the audience of access tokens. */
export function nameTokenIssuer(fn: ServiceFunction, { name }: Stage): ServiceFunction {
  return fn.setting('TOKEN_ISSUER', `payin-offramp/${name}`).setting('TOKEN_AUDIENCE', `payin-offramp/${name}/api`);
}

/** Creates the function that authorises a call by its access token. */
export function createAuthorizer(scope: Construct, context: FunctionContext, keys: Keys): ServiceFunction {
  const authorizer = new ServiceFunction(scope, context, {
    folder: 'clients/authorize-request',
    memoryMegabytes: 512,
    timeoutSeconds: 10,
    impact: 'Clients are refused on every route that needs an access token.',
    refusesByThrowing: true,
    concurrencyGroup: 'authorizer',
    hasVersions: true,
  });
  return nameTokenIssuer(authorizer, context.stage).useKey('TOKEN_KEY_ID', keys.accessTokens, 'kms:GetPublicKey');
}

/**
 * Alarms on faults of the authorizer: an error in its code, at its start, by its time limit, or no capacity to run. API
 * Gateway tells these from refusals.
 *
 * @param accessLog of the API that asks the authorizer
 */
export function alarmOnAuthorizer(authorizer: ServiceFunction, accessLog: ServiceLog): void {
  const failures = accessLog.count('AuthorizerFailures', {
    lines: FilterPattern.stringValue('$.gatewayError', '=', 'AUTHORIZER_*'),
    metricName: 'authorizer failures',
  });
  new FailureAlarm(authorizer, 'Failing', {
    description: `${authorizer.impact} Look at the access log of the clients' API for gatewayError, and at the log of ${authorizer.folder}.`,
    runbook: 'a-function-fails',
    metric: failures.metric({ period: Duration.minutes(1), statistic: 'Sum' }),
  });
}
