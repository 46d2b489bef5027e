import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
import { type TableShape, tableShapes } from '#infra/stage/table-shapes.ts';
import { playRound } from '#test/simulation/run/round.ts';
import { deployed } from '#test/simulation/service/deployed.ts';
import { readTopology } from '#test/simulation/topology/read-topology.ts';
import { synthesiseStaging } from '#test/simulation/topology/synthesise.ts';
import { playAside } from './play-aside.ts';
import { type Kept, kindOf, unreadOf } from './readers.ts';

/*
 * Writes what this code writes into test/corpus/<version>, or the folder that is given (docs/testing.md, Corpus): of all
 * items, messages and inputs of some rounds of the simulation so many that each set of names of each object, and each
 * constant, is in one.
 */

const SEED = 1;
const ROUNDS = 80;

interface Found extends Kept {
  /** What it has one of. */
  readonly has: readonly string[];
}

const found = new Map<string, Found[]>();
const known = new Set<string>();

function keep(source: string, keys: readonly string[], value: unknown): void {
  const kind = kindOf(source, keys);
  if (kind === undefined) throw new Error(`Say in test/corpus/readers.ts what reads ${source} ${keys.join(' ')}.`);
  const has = [...setsIn(value), ...constantsIn(value)].map((one) => `${source} ${kind} ${one}`);
  if (has.every((one) => known.has(one))) return;
  const unread = readable(() => unreadOf(source, kind, value));
  // Other services say what nobody can read, too.
  if (unread === undefined && source === 'messages') return;
  if (unread === undefined) throw new Error(`This code does not read its own ${source}: ${JSON.stringify(value)}`);
  for (const one of has) known.add(one);
  found.set(source, [...(found.get(source) ?? []), { kind, unread, value, has }]);
}

function readable<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** `.return{at,by}`: the names of each object in it. */
function setsIn(value: unknown, within = ''): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((one) => setsIn(one, within));
  if (typeof value !== 'object' || value === null) return [];
  const inside = Object.entries(value).flatMap(([name, one]) => setsIn(one, `${within}.${name}`));
  return [`${within}{${Object.keys(value).toSorted().join()}}`, ...inside];
}

/** `status=PENDING` */
function constantsIn(value: unknown): readonly string[] {
  const constants: string[] = [];
  JSON.stringify(value, (name, one) => {
    if (typeof one === 'string' && /^[A-Z][A-Z_]*$/.test(one)) constants.push(`${name}=${one}`);
    return one;
  });
  return constants;
}

/** Without those that have nothing of their own. */
function fewest(all: readonly Found[]): readonly Found[] {
  const counts = new Map<string, number>();
  const add = ({ has }: Found, by: number) => {
    for (const one of new Set(has)) counts.set(one, (counts.get(one) ?? 0) + by);
  };
  for (const one of all) add(one, 1);
  return all.filter((one) => {
    const isNeeded = one.has.some((name) => counts.get(name) === 1);
    if (!isNeeded) add(one, -1);
    return isNeeded;
  });
}

const shapes = new Map<string, TableShape>(Object.entries(tableShapes));

function keepItem(table: string, item: Readonly<Record<string, unknown>>): void {
  const { key = [] } = shapes.get(table) ?? {};
  keep(
    table,
    key.map((name) => String(item[name ?? ''])),
    item,
  );
}

const queued = z.object({ Records: z.array(z.object({ eventSource: z.literal('aws:sqs'), body: z.string() })) });

function keepEvent(folder: string, event: unknown): void {
  if (folder === 'off-ramps/check-deposit') keep('executions', [folder], event);
  for (const { body } of queued.safeParse(event).data?.Records ?? []) keep('messages', [folder], JSON.parse(body));
}

const service = await deployed(readTopology(synthesiseStaging()));
for (let round = 0; round < ROUNDS; round += 1) {
  await playRound(
    service,
    { seed: SEED, round },
    {
      onTransaction: (changes) => {
        for (const { table, after } of changes) if (after !== undefined) keepItem(table, unmarshall(after));
      },
      onInvocation: (folder, _, __, event) => keepEvent(folder, event),
    },
  );
}
for (const { table, item } of await playAside()) keepItem(table, item);

const root = fileURLToPath(new URL('../../', import.meta.url));
const described = z.object({ version: z.string() });
const { version: release } = described.parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
const folder = resolve(process.argv[2] ?? join(root, 'test/corpus', release));
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const about = { release, commit, seed: SEED, rounds: ROUNDS };
writeFileSync(join(folder, 'release.json'), `${JSON.stringify(about, null, 2)}\n`);
for (const [source, all] of found) {
  const kept = fewest(all).map(({ has: _, ...one }) => JSON.stringify(one));
  writeFileSync(
    join(folder, `${source}.json`),
    `{ "shape": ${JSON.stringify(shapes.get(source) ?? null)}, "kept": [\n${kept.join(',\n')}\n] }\n`,
  );
}
