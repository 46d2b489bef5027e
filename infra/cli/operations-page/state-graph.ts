import * as z from 'zod/mini';

/** A state machine: the next states of each state, by name. The types are those of the Amazon States Language. */
export const machine = z.object({
  start: z.string(),
  states: z.record(
    z.string(),
    z.object({ type: z.enum(['Task', 'Choice', 'Wait', 'Succeed', 'Fail']), next: z.array(z.string()) }),
  ),
});

export type Machine = z.infer<typeof machine>;

export interface StateNode {
  readonly name: string;
  readonly type: Machine['states'][string]['type'];
  /** From the left: one more than the column of the first state that leads here. */
  readonly column: number;
  /** From the top, within its column. */
  readonly row: number;
}

export interface StateEdge {
  readonly from: StateNode;
  readonly to: StateNode;
}

export interface StateGraph {
  readonly start: StateNode | undefined;
  readonly nodes: readonly StateNode[];
  readonly edges: readonly StateEdge[];
}

/** Arranges the states of a machine in columns, by their number of steps from the start. */
export function stateGraph({ start, states }: Machine): StateGraph {
  const next = new Map(Object.entries(states).map(([name, one]) => [name, one.next]));
  const columns = columnsFrom(start, next);
  const returns = (name: string) => (next.get(name) ?? []).some((to) => stepOf(columns, to) <= stepOf(columns, name));
  const nodes = columns.flatMap((names, column) =>
    // A state that leads back comes first, where its arrow crosses no other.
    [...names.filter(returns), ...names.filter((name) => !returns(name))].map((name, row) => ({
      name,
      column,
      row,
      type: states[name]?.type ?? 'Task',
    })),
  );
  const named = new Map(nodes.map((node) => [node.name, node]));
  const edges = nodes.flatMap((from) =>
    (next.get(from.name) ?? []).flatMap((name) => {
      const to = named.get(name);
      return to === undefined ? [] : [{ from, to }];
    }),
  );
  return { start: named.get(start), nodes, edges };
}

function columnsFrom(start: string, next: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const columns: string[][] = [];
  const placed = new Set([start]);
  for (let column = [start]; column.length > 0; ) {
    columns.push(column);
    column = column.flatMap((name) => (next.get(name) ?? []).filter((to) => !placed.has(to) && placed.add(to)));
  }
  return columns;
}

function stepOf(columns: readonly (readonly string[])[], name: string): number {
  return columns.findIndex((column) => column.includes(name));
}
