import { marshall } from '@aws-sdk/util-dynamodb';
import { expect } from 'vitest';
import { type TableName, tableShapes } from '#infra/platform/table-shapes.ts';
import type { Item } from '#test/simulation/aws/dynamodb/attribute-values.ts';
import { type Books, createBooks } from '../books.ts';
import type { Change } from '../change.ts';
import type { Findings } from '../finally/check-finally.ts';
import type { Remains } from '../remains.ts';
import type { Truth } from '../truth.ts';
import { Violation } from '../violation.ts';

/** One leg of a request: attributes that are `undefined` are removed, `GONE` deletes the item. */
export interface Leg {
  readonly table: TableName;
  readonly key: Readonly<Record<string, string>>;
  set: Record<string, unknown> | 'GONE';
}

export function leg(table: TableName, key: Leg['key'], set: Leg['set']): Leg {
  return { table, key, set };
}

/** What one request writes; a leg that is `undefined` is left out. */
export type Legs = Readonly<Record<string, Leg | undefined>>;

export const START = Date.parse('2026-08-03T12:00:00.000Z');

/** An instant so many seconds after the start. */
export const at = (seconds: number) => new Date(START + seconds * 1000).toISOString();

/** A history written by hand, and the books that follow it. */
export function createHistory() {
  const items = new Map<string, Item>();
  let now = START;
  const books: Books = createBooks({
    now: () => now,
    skew: 0,
    shares: { first: { perClient: 2, perWebhook: 1 }, retries: { perClient: 2, perWebhook: 1 } },
  });
  return {
    books,
    /** Lets time pass until so many seconds after the start. */
    wait(seconds: number): void {
      now = START + seconds * 1000;
    },
    write(legs: Legs): void {
      const changes = Object.values(legs).flatMap((leg) => (leg === undefined ? [] : [changeOf(leg, items)]));
      books.onTransaction(changes);
    },
    /** One more request for an item. */
    ask: (TableName: TableName, key: Readonly<Record<string, string>>): void =>
      books.onRequest({ does: 'GET', input: { TableName, Key: marshall(key) } }),
    end: (truth: Partial<Truth> = {}, remains: Partial<Remains> = {}): Findings =>
      books.checkFinally(
        { ...nothing, ...truth },
        {
          executions: [],
          messages: new Map(),
          undelivered: [],
          tablesRefused: false,
          stopped: [],
          deadLetters: new Map(),
          ...remains,
        },
      ),
  };
}

export type History = ReturnType<typeof createHistory>;

const nothing: Truth = {
  transfers: [],
  payments: [],
  calls: [],
  endpoints: [],
  receipts: [],
  notices: [],
  commands: [],
  lists: [],
  payouts: [],
  errors: [],
  isQuiet: false,
  custodianCalls: new Map(),
  railCalls: new Map(),
  hostileClients: new Set(),
  quietSince: START,
};

function changeOf({ table, key, set }: Leg, items: Map<string, Item>): Change {
  const place = [table, ...tableShapes[table].key.map((name) => key[name])].join(' ');
  const before = items.get(place);
  if (set === 'GONE') {
    items.delete(place);
    return { table, key: marshall(key), before, after: undefined };
  }
  const removed = Object.keys(set).filter((name) => set[name] === undefined);
  const kept = Object.entries(before ?? {}).filter(([name]) => !removed.includes(name));
  const after = { ...Object.fromEntries(kept), ...marshall({ ...key, ...set }, { removeUndefinedValues: true }) };
  items.set(place, after);
  return { table, key: marshall(key), before, after };
}

/** Changes a leg before it is written. */
export function but(legs: Legs, name: string, set: Readonly<Record<string, unknown>> | 'GONE'): Legs {
  const leg = legs[name];
  if (leg === undefined) throw new Error(`There is no leg ${name}.`);
  if (set === 'GONE' || leg.set === 'GONE') return { ...legs, [name]: { ...leg, set: 'GONE' } };
  return { ...legs, [name]: { ...leg, set: { ...leg.set, ...set } } };
}

export function without(legs: Legs, name: string): Legs {
  if (legs[name] === undefined) throw new Error(`There is no leg ${name}.`);
  return { ...legs, [name]: undefined };
}

/** A history whose last step breaks a rule, and none before. */
export type Breach = readonly [rule: string, breach: (history: History) => void];

export function expectBreach([rule, breach]: Breach): void {
  let caught: unknown;
  try {
    breach(createHistory());
  } catch (error) {
    caught = error;
  }
  if (!(caught instanceof Violation)) expect.fail(caught === undefined ? `Nothing is broken: ${rule}` : String(caught));
  expect(caught.rule, caught.message).toBe(rule);
}
