import {
  DescribeExecutionCommand,
  ExecutionAlreadyExists,
  type SFNClient,
  StartExecutionCommand,
} from '@aws-sdk/client-sfn';
import type { Verification } from '#shared/domain/operation.ts';

/** What an attempt's execution is started with: frozen with the attempt, so that a repeated start is the same start. */
function executionInput({ operationId, attempt, network, txHash, windowStartsAt, windowEndsAt }: Verification): string {
  return JSON.stringify({ operationId, attempt, network, txHash, windowStartsAt, windowEndsAt });
}

/** One execution per attempt, found by the operation's id: `{operationId}-{attempt}`. */
function executionName({ operationId, attempt }: Verification): string {
  return `${operationId}-${attempt}`;
}

/** Starts the execution of an attempt, or tells what became of the one that was started before. */
export function executionsOf(stepFunctions: SFNClient, stateMachineArn: string) {
  return async (verification: Verification): Promise<'STARTED' | 'RUNNING' | 'CLOSED'> => {
    const name = executionName(verification);
    try {
      await stepFunctions.send(
        new StartExecutionCommand({ stateMachineArn, name, input: executionInput(verification) }),
      );
      return 'STARTED';
    } catch (error) {
      if (!(error instanceof ExecutionAlreadyExists)) throw error;
    }
    const executionArn = `${stateMachineArn.replace(':stateMachine:', ':execution:')}:${name}`;
    const { status } = await stepFunctions.send(new DescribeExecutionCommand({ executionArn }));
    return status === 'RUNNING' ? 'RUNNING' : 'CLOSED';
  };
}

export type StartExecution = ReturnType<typeof executionsOf>;
