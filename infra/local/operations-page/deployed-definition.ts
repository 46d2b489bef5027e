import { DescribeStateMachineCommand, SFNClient } from '@aws-sdk/client-sfn';
import { rootCredentials } from '../demo-data.ts';
import { emulatorCredentials } from '../emulator.ts';

/** Of a state machine as it is deployed on the local AWS. */
export async function deployedDefinition(endpoint: string, stateMachineArn: string): Promise<string> {
  const stepFunctions = new SFNClient({
    endpoint,
    region: emulatorCredentials.AWS_REGION,
    credentials: rootCredentials,
  });
  const { definition = '' } = await stepFunctions.send(new DescribeStateMachineCommand({ stateMachineArn }));
  stepFunctions.destroy();
  return definition;
}
