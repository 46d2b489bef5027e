import { ExecutionAlreadyExists, SFNServiceException, StartExecutionCommand } from '@aws-sdk/client-sfn';
import type { Topology } from '#test/simulation/topology/topology.ts';
import { Unsupported } from './dynamodb/unsupported.ts';
import type { Answer, Host, Invoke } from './host.ts';
import { createStateMachine, TaskFailed } from './state-machine.ts';

export interface ExecutionFaults {
  /** Step Functions does not answer, before or after it did the request. */
  readonly start: number;
  /** Somebody stops the execution, at any of its steps. */
  readonly abort: number;
  /** A task fails although its function succeeded, because its result is lost. */
  readonly lostResult: number;
}

interface Execution {
  readonly name: string;
  readonly input: string;
  status: 'RUNNING' | 'SUCCEEDED' | 'FAILED';
  /** States entered, and retries, which AWS charges for. */
  transitions: number;
}

export interface Executions {
  readonly all: ReadonlyMap<string, Execution>;
  readonly answer: Answer;
}

/** Executions of the state machine, from its definition. */
export function createExecutions(
  { schedule, random, trace }: Host,
  { arn, definition }: Topology['stateMachine'],
  invoke: Invoke,
  faults: ExecutionFaults,
): Executions {
  const { clock } = schedule;
  const machine = createStateMachine(definition);
  const all = new Map<string, Execution>();

  async function run(execution: Execution): Promise<void> {
    const pause = (seconds: number) => {
      execution.transitions += 1;
      return clock.sleep(seconds * 1000);
    };
    const hasSucceeded = await machine(
      JSON.parse(execution.input),
      {
        invoke: invoked,
        waitUntil: (instant) => clock.sleep(Math.max(0, instant.getTime() - clock.now().getTime())),
        pause,
        random: random.next,
      },
      () => {
        execution.transitions += 1;
        return random.chance(faults.abort);
      },
    );
    // The final state counts as well.
    if (hasSucceeded) execution.transitions += 1;
    execution.status = hasSucceeded ? 'SUCCEEDED' : 'FAILED';
    trace(() => `execution ${execution.status}`);
  }

  async function invoked(folder: string, payload: unknown): Promise<unknown> {
    const outcome = await invoke(folder, payload);
    if (outcome.state === 'DONE' && random.chance(faults.lostResult)) throw new TaskFailed('Lambda.SdkClientException');
    switch (outcome.state) {
      case 'DONE':
        return JSON.parse(JSON.stringify(outcome.value));
      case 'THREW':
        throw new TaskFailed(outcome.error instanceof Error ? outcome.error.name : 'Error');
      case 'DIED':
        throw new TaskFailed('Sandbox.Timedout');
      case 'THROTTLED':
        throw new TaskFailed('Lambda.TooManyRequestsException');
    }
  }

  /** Starting the same running execution again does nothing; a name is never reused. */
  function start(name: string, input: string): void {
    const before = all.get(name);
    if (before?.status === 'RUNNING' && before.input === input) return;
    if (before !== undefined) throw new ExecutionAlreadyExists({ message: name, $metadata: {} });
    const execution: Execution = { name, input, status: 'RUNNING', transitions: 0 };
    all.set(name, execution);
    trace(() => `starts execution ${name}`);
    schedule.start(`execution ${name}`, () => run(execution));
  }

  function answered(command: object): object {
    if (command instanceof StartExecutionCommand) {
      const { stateMachineArn, name = '', input = '' } = command.input;
      if (stateMachineArn !== arn) throw new Error(`There is no state machine ${stateMachineArn}.`);
      start(name, input);
      return { executionArn: `${arn.replace(':stateMachine:', ':execution:')}:${name}`, startDate: clock.now() };
    }
    throw new Unsupported(command.constructor.name);
  }

  return {
    all,
    async answer(command) {
      await schedule.turn('REQUEST');
      if (random.chance(faults.start)) throw unavailable();
      const answer = answered(command);
      await schedule.turn('ANSWER');
      if (random.chance(faults.start)) throw unavailable();
      return answer;
    },
  };
}

function unavailable(): SFNServiceException {
  return new SFNServiceException({ name: 'ServiceUnavailable', $fault: 'server', message: 'none', $metadata: {} });
}
