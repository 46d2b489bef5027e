import jsonata from 'jsonata';
import * as z from 'zod/mini';
import { Unsupported } from './dynamodb/unsupported.ts';

const retrier = z.strictObject({
  ErrorEquals: z.array(z.string()),
  IntervalSeconds: z.number(),
  MaxAttempts: z.int(),
  BackoffRate: z.number(),
  MaxDelaySeconds: z.number(),
  JitterStrategy: z.literal('FULL'),
});

type Retrier = z.infer<typeof retrier>;

/** The supported states. A definition with anything else is rejected. */
const state = z.discriminatedUnion('Type', [
  z.strictObject({
    Type: z.literal('Task'),
    Resource: z.unknown().check(z.refine((resource) => JSON.stringify(resource).includes(':states:::lambda:invoke'))),
    Arguments: z.strictObject({ FunctionName: z.string(), Payload: z.unknown() }),
    Output: z.unknown(),
    Retry: z.array(retrier),
    Next: z.string(),
  }),
  z.strictObject({
    Type: z.literal('Choice'),
    Choices: z.array(z.strictObject({ Condition: z.string(), Next: z.string() })),
    Default: z.string(),
  }),
  z.strictObject({ Type: z.literal('Wait'), Timestamp: z.string(), Next: z.string() }),
  z.strictObject({ Type: z.literal('Succeed') }),
]);

type State = z.infer<typeof state>;
type Passing = Exclude<State, { Type: 'Succeed' }>;
type Task = Extract<State, { Type: 'Task' }>;

const definition = z.strictObject({
  Comment: z.optional(z.string()),
  QueryLanguage: z.literal('JSONata'),
  StartAt: z.string(),
  States: z.record(z.string(), state),
});

/** A failed task, with the error's name in Step Functions: `Lambda.TooManyRequestsException`, or the thrown error's. */
export class TaskFailed extends Error {
  readonly errorName: string;

  constructor(errorName: string) {
    super(errorName);
    this.errorName = errorName;
  }
}

export interface StateMachineHost {
  /** @throws {TaskFailed} */
  invoke(functionName: string, payload: unknown): Promise<unknown>;
  waitUntil(instant: Date): Promise<void>;
  /** Waits for this many seconds. */
  pause(seconds: number): Promise<void>;
  /** At least 0, below 1, for full jitter. */
  random(): number;
}

/**
 * Creates a state machine from its definition, for the part of the Amazon States Language used here. Expressions are
 * evaluated by the library that Step Functions names as its reference.
 *
 * @throws {z.core.$ZodError} if the definition has anything that is not supported
 */
export function createStateMachine(written: unknown) {
  const { StartAt, States } = definition.parse(written);

  /** Runs to the end. Returns `false` if a task failed without another retry, or the execution was stopped. */
  return async (input: unknown, host: StateMachineHost, isStopped = () => false): Promise<boolean> => {
    let reached: Reached = { name: StartAt, value: input };
    for (;;) {
      const current = States[reached.name];
      if (current === undefined) throw new Unsupported(`the state ${reached.name}`);
      if (current.Type === 'Succeed') return true;
      const next = await pass(current, reached.value, host);
      if (next === undefined || isStopped()) return false;
      reached = next;
    }
  };
}

/** A state with its input. */
interface Reached {
  readonly name: string;
  readonly value: unknown;
}

/** Returns the next state; `undefined` if the task failed without another retry. */
async function pass(current: Passing, value: unknown, host: StateMachineHost): Promise<Reached | undefined> {
  switch (current.Type) {
    case 'Task': {
      const result = await answered(current, value, host);
      return result && { name: current.Next, value: await evaluated(current.Output, { input: value, result }) };
    }
    case 'Choice':
      return { name: await chosen(current, value), value };
    case 'Wait':
      await host.waitUntil(new Date(String(await evaluated(current.Timestamp, { input: value }))));
      return { name: current.Next, value };
  }
}

async function chosen({ Choices, Default }: Extract<State, { Type: 'Choice' }>, input: unknown): Promise<string> {
  for (const { Condition, Next } of Choices) if ((await evaluated(Condition, { input })) === true) return Next;
  return Default;
}

/** Returns the task's result; `undefined` if its last attempt failed. Each retrier counts its own attempts. */
async function answered({ Arguments, Retry }: Task, input: unknown, host: StateMachineHost) {
  const made = new Map<Retrier, number>();
  const payload = await evaluated(Arguments.Payload, { input });
  for (;;) {
    try {
      return { Payload: await host.invoke(Arguments.FunctionName, payload) };
    } catch (error) {
      if (!(error instanceof TaskFailed)) throw error;
      const by = Retry.find(({ ErrorEquals }) => isNamed(ErrorEquals, error.errorName));
      const tries = by === undefined ? 0 : (made.get(by) ?? 0);
      if (by === undefined || tries === by.MaxAttempts) return undefined;
      made.set(by, tries + 1);
      const longest = Math.min(by.MaxDelaySeconds, by.IntervalSeconds * by.BackoffRate ** tries);
      await host.pause(host.random() * longest);
    }
  }
}

function isNamed(names: readonly string[], name: string): boolean {
  return names.includes('States.ALL') || names.includes(name);
}

const expressions = new Map<string, jsonata.Expression>();

/** Evaluates a string within `{% %}` as an expression; returns any other value unchanged. */
async function evaluated(value: unknown, states: Readonly<Record<string, unknown>>): Promise<unknown> {
  const text = typeof value === 'string' ? /^\{%(.*)%\}$/s.exec(value)?.[1] : undefined;
  if (text === undefined) return value;
  const expression = expressions.get(text) ?? jsonata(text);
  expressions.set(text, expression);
  return expression.evaluate(undefined, { states });
}
