import type { AwsInMemory } from './aws-in-memory.ts';
import type { Engine } from './dynamodb/engine.ts';
import type { Host, Invocation } from './host.ts';

/** The kinds of partners that a function calls. */
export type PartnerKind = 'tables' | 'queue' | 'bus' | 'executions' | 'keys' | 'custodian' | 'rail' | 'webhook';

/** Counts what AWS charges for. A round is the same with it, except for the function that it leaves out. */
export interface Meter {
  /** A scheduled function that is not called. */
  readonly leavesOut?: string;
  invoked(folder: string, work: () => Promise<Invocation>): Promise<Invocation>;
  /** Wraps the tables, below the network. */
  tables(engine: Engine): Engine['answer'];
  /** Wraps a partner, a function or an object with functions, to count its calls. */
  partner<Partner extends object>(kind: PartnerKind, partner: Partner): Partner;
  lines(tell: Host['trace']): Host['trace'];
  ended(aws: AwsInMemory): void;
}

export const noMeter: Meter = {
  invoked: (_, work) => work(),
  tables: (engine) => engine.answer,
  partner: (_, partner) => partner,
  lines: (tell) => tell,
  ended: () => {},
};
