import { CfnOutput, Stack } from 'aws-cdk-lib';
import { CfnUsagePlan, type SpecRestApi } from 'aws-cdk-lib/aws-apigateway';
import type { Construct } from 'constructs';
import type { RouteThrottling, Throttling } from '#infra/platform/route.ts';

/** The limits of each client, over all routes together. */
export interface ClientLimits extends Throttling {
  readonly requestsPerDay: number;
}

/**
 * A client above its limit gets 429; others are unaffected. The authorizer says whose key a call counts for.
 * API Gateway looks at these limits before those of a route, and a call that they refuse does not count for the route.
 *
 * @param all on all routes together
 * @param routes as `{path}/{METHOD}`
 */
export function limitClients(
  scope: Construct,
  { restApiId, deploymentStage: { stageName } }: SpecRestApi,
  all: ClientLimits,
  routes: Readonly<Record<string, RouteThrottling>>,
): CfnUsagePlan {
  const throttle = Object.fromEntries(
    Object.entries(routes).flatMap(([route, { perClient }]) => (perClient ? [[route, limitsOf(perClient)]] : [])),
  );
  const plan = new CfnUsagePlan(scope, 'PerClient', {
    description: 'Limits of each client',
    throttle: limitsOf(all),
    quota: { limit: all.requestsPerDay, period: 'DAY' },
    apiStages: [{ apiId: restApiId, stage: stageName, throttle }],
  });
  new CfnOutput(Stack.of(scope), 'ClientsUsagePlanId', { value: plan.ref });
  return plan;
}

function limitsOf({ rate, burst }: Throttling) {
  return { rateLimit: rate, burstLimit: burst };
}
