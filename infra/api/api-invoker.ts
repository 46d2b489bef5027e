import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';

/**
 * The role by which an API calls its functions: these, each by its name, and no others. A permission at each function
 * would be another resource for every route.
 */
export function createInvoker(scope: Construct, functions: readonly IFunction[]): Role {
  const arns = new Set(functions.map(({ functionArn }) => functionArn));
  const calls = new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [...arns] });
  return new Role(scope, 'Invoker', {
    assumedBy: new ServicePrincipal('apigateway.amazonaws.com'),
    inlinePolicies: { Invoke: new PolicyDocument({ statements: [calls] }) },
  });
}
