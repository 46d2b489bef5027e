import { restoredTables } from '#infra/stage/table-shapes.ts';
import { type Item, pickAttributes } from '#test/simulation/aws/dynamodb/attribute-values.ts';
import type { Engine } from '#test/simulation/aws/dynamodb/engine.ts';
import type { Table } from '#test/simulation/aws/dynamodb/table.ts';
import type { Transaction } from '#test/simulation/books/change.ts';
import { STALE } from '#test/simulation/books/fits.ts';
import { instant, maybeText, text } from '#test/simulation/books/items.ts';
import type { Chain } from '#test/simulation/world/chain/chain.ts';

export type Snapshot = ReadonlyMap<Table, ReadonlyMap<string, Item>>;

/** Returns the restored tables as they are now, even in the middle of a call. */
export function snapshotOf({ tables }: Engine): Snapshot {
  const restored = restoredTables.flatMap((name) => tables.get(name) ?? []);
  return new Map(restored.map((table) => [table, new Map(table.items().map((item) => [table.keyOf(item), item]))]));
}

/** Returns the snapshot with these changes undone, except items that were written again since. */
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

/** Restores the snapshot. @returns how many items have changed */
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

/**
 * Lists deposits that have changed at the custodian or were notified since then, and those of operators' commands in
 * the audit, even if it is unknown whether the command took effect.
 */
export function changedSince(chain: Pick<Chain, 'all'>, { tables }: Engine, since: number): readonly string[] {
  const audit = tables.get('audit')?.items() ?? [];
  const idIn = (one: Item, where: string) => maybeText(one[where]?.M, 'custodianTransferId');
  const byHand = new Set(
    audit
      .filter((one) => instant(one, 'at') >= since - STALE)
      .flatMap((one) => {
        const proposalId = maybeText(one['arguments']?.M, 'proposalId');
        const proposed = audit.filter((other) => proposalId !== undefined && text(other, 'auditId') === proposalId);
        return [idIn(one, 'ids'), ...[one, ...proposed].map((asked) => idIn(asked, 'arguments'))];
      }),
  );
  const isChanged = ({ facts, phases, notifiedAt }: (typeof chain.all)[number]) =>
    byHand.has(facts.custodianTransferId) ||
    [...phases.map(({ at }) => at), ...notifiedAt].some((at) => at >= since - STALE);
  return chain.all.filter(isChanged).map(({ facts }) => facts.custodianTransferId);
}

/** Returns every item as if it were written now. */
export function allItems({ tables }: Engine): Transaction {
  return [...tables.values()].flatMap(({ name: table, items, keyNames }) =>
    items().map((after) => ({ table, key: pickAttributes(after, keyNames), before: undefined, after })),
  );
}
