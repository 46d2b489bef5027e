import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';

/**
 * The role with which an API calls its functions, each named by its ARN. A permission on each function would add a
 * resource per route.
 */
export function createInvoker(scope: Construct, functions: readonly IFunction[]): Role {
  const arns = new Set(functions.map(({ functionArn }) => functionArn));
  const calls = new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [...arns] });
  return new Role(scope, 'Invoker', {
    assumedBy: new ServicePrincipal('apigateway.amazonaws.com'),
    inlinePolicies: { Invoke: new PolicyDocument({ statements: [calls] }) },
  });
}
