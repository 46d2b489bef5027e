import {
  DescribeExecutionCommand,
  ExecutionAlreadyExists,
  type SFNClient,
  StartExecutionCommand,
} from '@aws-sdk/client-sfn';
import { attemptInput, type Verification } from './verification.ts';

/** One execution per run, found by the operation's id; the first run of an attempt has no number. */
export function executionName({ operationId, attempt, run }: Pick<Verification, 'operationId' | 'attempt' | 'run'>) {
  return run === 1 ? `${operationId}-${attempt}` : `${operationId}-${attempt}-${run}`;
}

/**
 * Sees to it that the execution of a run was started: it is RUNNING, since now or before, or it was and is CLOSED. AWS
 * answers the second start of one that runs like the first; others refuse it, and are asked.
 */
export function createStartExecution(stepFunctions: SFNClient, stateMachineArn: string) {
  return async (verification: Verification): Promise<'RUNNING' | 'CLOSED'> => {
    const name = executionName(verification);
    try {
      await stepFunctions.send(
        new StartExecutionCommand({ stateMachineArn, name, input: JSON.stringify(attemptInput.parse(verification)) }),
      );
      return 'RUNNING';
    } catch (error) {
      if (!(error instanceof ExecutionAlreadyExists)) throw error;
    }
    const executionArn = `${stateMachineArn.replace(':stateMachine:', ':execution:')}:${name}`;
    const { status } = await stepFunctions.send(new DescribeExecutionCommand({ executionArn }));
    return status === 'RUNNING' ? 'RUNNING' : 'CLOSED';
  };
}

export type StartExecution = ReturnType<typeof createStartExecution>;
