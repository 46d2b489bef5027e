import { DescribeStateMachineCommand, SFNClient } from '@aws-sdk/client-sfn';
import type { LocalAws } from '#infra/cli/local-aws.ts';

/** The definition of a state machine, as it is deployed on the local AWS. */
export async function deployedDefinition(aws: LocalAws, stateMachineArn: string): Promise<string> {
  const stepFunctions = new SFNClient(aws);
  const { definition = '' } = await stepFunctions.send(new DescribeStateMachineCommand({ stateMachineArn }));
  stepFunctions.destroy();
  return definition;
}
