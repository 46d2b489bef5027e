import { ExecutionAlreadyExists } from '@aws-sdk/client-sfn';
import * as z from 'zod/mini';
import type { Aws } from '#test/simulation/kernel/aws.ts';
import type { Random } from '#test/simulation/kernel/random.ts';
import type { Schedule } from '#test/simulation/kernel/schedule.ts';

interface Execution {
  readonly name: string;
  readonly input: string;
  status: 'RUNNING' | 'SUCCEEDED' | 'FAILED';
}

const polled = z.object({ outcome: z.string(), nextCheckAt: z.optional(z.string()) });

/** Of the state machine's task, as infra sets it. */
const TRIES = 7;
const LONGEST_PAUSE_SECONDS = 60;
const LIMIT_SECONDS = 30;

export interface Executions {
  readonly all: ReadonlyMap<string, Execution>;
  readonly answer: Aws['stepFunctions'];
}

/** The state machine: polls, waits as long as the poll says, polls again. */
export function createExecutions(
  schedule: Schedule,
  random: Random,
  faults: { readonly start: number; readonly abort: number },
  checkDeposit: (event: unknown) => Promise<unknown>,
): Executions {
  const all = new Map<string, Execution>();
  const { clock } = schedule;

  /** `undefined` when every try failed. */
  async function check(event: unknown): Promise<unknown> {
    for (let tries = 1; tries <= TRIES; tries += 1) {
      const outcome = await schedule.invoke('check-deposit', LIMIT_SECONDS, () => checkDeposit(event));
      if (outcome.state === 'DONE') return outcome.value;
      await clock.sleep(random.next() * Math.min(LONGEST_PAUSE_SECONDS, 2 ** tries) * 1000);
    }
    return undefined;
  }

  async function run(execution: Execution): Promise<void> {
    for (let event: unknown = JSON.parse(execution.input); ; ) {
      event = await check(event);
      if (event === undefined || random.chance(faults.abort)) {
        execution.status = 'FAILED';
        return;
      }
      const { outcome, nextCheckAt } = polled.parse(event);
      if (outcome !== 'LOOK_AGAIN') {
        execution.status = 'SUCCEEDED';
        return;
      }
      await clock.sleep(Math.max(0, Date.parse(nextCheckAt ?? '') - clock.now().getTime()));
    }
  }

  function start(name: string, input: string): void {
    const before = all.get(name);
    if (before?.status === 'RUNNING' && before.input === input) return;
    if (before !== undefined) throw new ExecutionAlreadyExists({ message: name, $metadata: {} });
    const execution: Execution = { name, input, status: 'RUNNING' };
    all.set(name, execution);
    schedule.start(name, () => run(execution));
  }

  return {
    all,
    async answer({ input }) {
      await schedule.turn('REQUEST');
      if (random.chance(faults.start)) throw new Error('Step Functions do not answer.');
      if ('stateMachineArn' in input && 'input' in input) start(input.name ?? '', input.input ?? '');
      const status = 'executionArn' in input ? all.get(input.executionArn?.split(':').at(-1) ?? '')?.status : undefined;
      await schedule.turn('ANSWER');
      if (random.chance(faults.start)) throw new Error('Step Functions do not answer.');
      return { $metadata: {}, executionArn: undefined, startDate: undefined, status };
    },
  };
}
