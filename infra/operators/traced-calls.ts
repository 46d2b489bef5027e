import { Names } from 'aws-cdk-lib';
import { CfnSamplingRule } from 'aws-cdk-lib/aws-xray';
import type { Construct } from 'constructs';

/** The share of an API's calls that are traced, with everything that follows from them. */
const TRACED = 0.02;

/**
 * Traces a share of the calls. X-Ray's own rule would also trace the first call of each second: most calls of a service
 * with a million off-ramps a month, at $5 for a million traces. Functions trace only what the API has chosen, because
 * on their own they could not leave out that first call.
 *
 * @param names of the APIs, up to a `*`
 */
export function traceSomeCalls(scope: Construct, names: string): void {
  new CfnSamplingRule(scope, 'TracedCalls', {
    samplingRule: {
      ruleName: Names.uniqueResourceName(scope, { maxLength: 32 }),
      version: 1,
      priority: 9000,
      fixedRate: TRACED,
      reservoirSize: 0,
      serviceType: 'AWS::ApiGateway::Stage',
      serviceName: names,
      host: '*',
      httpMethod: '*',
      urlPath: '*',
      resourceArn: '*',
    },
  });
}
