import * as z from 'zod/mini';

const transition = z.object({ Next: z.string() });

/** The part of a definition in the Amazon States Language that says what leads where. */
const definition = z.object({
  StartAt: z.string(),
  States: z.record(
    z.string(),
    z.object({
      Type: z.string(),
      Next: z.optional(z.string()),
      Choices: z._default(z.array(transition), []),
      Default: z.optional(z.string()),
      Catch: z._default(z.array(transition), []),
    }),
  ),
});

export interface StateNode {
  readonly name: string;
  /** As the definition has it: `Task`, `Choice`, `Wait`, `Succeed`. */
  readonly type: string;
  /** From the left: one further than the state that leads to it first. */
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

/** The states of a machine in columns, by how many steps from its start they are. */
export function stateGraph(written: string): StateGraph {
  const { StartAt, States } = definition.parse(JSON.parse(written));
  const next = new Map(
    Object.entries(States).map(([name, { Next, Choices, Default, Catch }]) => {
      const leads = [...Choices.map((one) => one.Next), Default, Next, ...Catch.map((one) => one.Next)];
      return [name, [...new Set(leads.filter((to) => to !== undefined))]] as const;
    }),
  );
  const columns = columnsFrom(StartAt, next);
  const returns = (name: string) => (next.get(name) ?? []).some((to) => stepOf(columns, to) <= stepOf(columns, name));
  const nodes = columns.flatMap((names, column) =>
    // A state that leads back comes first, where its arrow crosses no other.
    [...names.filter(returns), ...names.filter((name) => !returns(name))].map((name, row) => ({
      name,
      column,
      row,
      type: States[name]?.Type ?? '',
    })),
  );
  const named = new Map(nodes.map((node) => [node.name, node]));
  const edges = nodes.flatMap((from) =>
    (next.get(from.name) ?? []).flatMap((name) => {
      const to = named.get(name);
      return to === undefined ? [] : [{ from, to }];
    }),
  );
  return { start: named.get(StartAt), nodes, edges };
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
