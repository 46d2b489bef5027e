import { Duration } from 'aws-cdk-lib';
import { AwsIntegration, type Integration, LambdaIntegration, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Contract } from '#shared/contracts/contract.ts';
import { isPublicRead } from '#shared/contracts/methods.ts';
import type { ServiceFunction } from './service-function.ts';

/** The longest that API Gateway waits. */
const timeout = Duration.seconds(29);

/**
 * How API Gateway calls the function of a route, and its permission to do so. The three methods of a public read share
 * one permission for each path: each would be a resource more, of which a stack has 500.
 */
export function integrationOf(contract: Contract, restApi: RestApi, { lambda }: ServiceFunction): Integration {
  if (!isPublicRead(contract)) return new LambdaIntegration(lambda, { allowTestInvoke: false, timeout });
  for (const [number, path] of [contract.path, ...(contract.aliases ?? [])].entries()) {
    lambda.addPermission(number === 0 ? 'PublicRead' : `PublicRead${number}`, {
      principal: new ServicePrincipal('apigateway.amazonaws.com'),
      // A permission has a star where a path has a parameter.
      sourceArn: restApi.arnForExecuteApi('*', path.replaceAll(/\{\w+\}/g, '*'), restApi.deploymentStage.stageName),
    });
  }
  const path = `2015-03-31/functions/${lambda.functionArn}/invocations`;
  return new AwsIntegration({ proxy: true, service: 'lambda', path, options: { timeout } });
}
