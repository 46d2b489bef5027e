import {
  type AddToPrincipalPolicyResult,
  PolicyDocument,
  type PolicyStatement,
  Role,
  ServicePrincipal,
} from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';

/**
 * The role of one function, with its permissions inline. The CDK would create a separate policy, and a stack has room
 * for 500 resources.
 */
export class FunctionRole extends Role {
  readonly #document: PolicyDocument;

  /** @param roleName for a role that a policy names before it exists */
  constructor(scope: Construct, id: string, roleName?: string) {
    const document = new PolicyDocument();
    super(scope, id, {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: { Function: document },
      ...(roleName !== undefined && { roleName }),
    });
    this.#document = document;
  }

  override addToPrincipalPolicy(statement: PolicyStatement): AddToPrincipalPolicyResult {
    this.#document.addStatements(statement);
    return { statementAdded: true, policyDependable: this };
  }
}
