import type { AwsInMemory } from './aws-in-memory.ts';
import type { Engine } from './dynamodb/engine.ts';
import type { Host, Invocation } from './host.ts';

/** What a function calls. */
export type PartnerKind = 'tables' | 'queue' | 'bus' | 'executions' | 'keys' | 'custodian' | 'rail' | 'webhook';

/** Counts what AWS charges for. It changes nothing but what it leaves out, so that a round is the same with it. */
export interface Meter {
  /** A function of a schedule that is not called. */
  readonly leavesOut?: string;
  invoked(folder: string, work: () => Promise<Invocation>): Promise<Invocation>;
  /** What a request does to the tables themselves. */
  tables(engine: Engine): Engine['answer'];
  /** The same partner, a function or an object with some, whose calls are counted. */
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
