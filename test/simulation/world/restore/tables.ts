import { restoredTables } from '#infra/stage/table-shapes.ts';
import { type Item, only } from '#test/simulation/aws/dynamodb/attribute-values.ts';
import type { Engine } from '#test/simulation/aws/dynamodb/engine.ts';
import type { Table } from '#test/simulation/aws/dynamodb/table.ts';
import type { Transaction } from '#test/simulation/books/change.ts';
import { instant, text } from '#test/simulation/books/items.ts';

export type Snapshot = ReadonlyMap<Table, ReadonlyMap<string, Item>>;

/** All tables that a restore touches as they are now, whoever is in the middle of what. */
export function snapshotOf({ tables }: Engine): Snapshot {
  const restored = restoredTables.flatMap((name) => tables.get(name) ?? []);
  return new Map(restored.map((table) => [table, new Map(table.items().map((item) => [table.keyOf(item), item]))]));
}

/** The same without what these changes wrote, but for what was written once more since. */
export function without(changes: Transaction, snapshot: Snapshot): Snapshot {
  return new Map(
    [...snapshot].map(([table, items]) => {
      const left = new Map(items);
      for (const { key, before, after } of changes.filter((one) => one.table === table.name)) {
        const place = table.keyOf(key);
        if (left.get(place) !== after) continue;
        if (before === undefined) left.delete(place);
        else left.set(place, before);
      }
      return [table, left];
    }),
  );
}

/** They are as they were. @returns how many items have changed */
export function bringBack(snapshot: Snapshot): number {
  let changed = 0;
  for (const [table, before] of snapshot) {
    const keys = new Set([...before.keys(), ...table.items().map((item) => table.keyOf(item))]);
    for (const key of [...keys].filter((one) => table.read(one, true) !== before.get(one))) {
      table.write(key, before.get(key));
      changed += 1;
    }
  }
  return changed;
}

/** Deposits that people have changed since then, as the audit says: each is polled. */
export function changedByHandSince({ tables }: Engine, since: number): ReadonlySet<string> {
  const those = (tables.get('audit')?.items() ?? []).filter((one) => instant(one, 'at') >= since);
  return new Set(those.map((one) => text(one['ids']?.M, 'custodianTransferId')));
}

/** Every item that there is, as if it was written now. */
export function allItems({ tables }: Engine): Transaction {
  return [...tables.values()].flatMap(({ name: table, items, keyNames }) =>
    items().map((after) => ({ table, key: only(after, keyNames), before: undefined, after })),
  );
}
