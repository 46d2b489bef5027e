import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { type StateGraph, stateGraph } from '#infra/cli/operations-page/state-graph.ts';
import { verificationMachine } from '#infra/cli/operations-page/verification-machine.ts';
import { verificationStates } from '#shared/off-ramps/model/verification.ts';
import { blocksIn, textOf } from '#test/support/markdown.ts';
import { bundles, stageNames, synthesise } from '#test/support/synthesised.ts';

describe.each(stageNames)('the page of operations in %s', (stageName) => {
  const service = synthesise(stageName);

  test('is part of nothing that is deployed', () => {
    const files = [...bundles.values()].flatMap(({ directory, inputs }) => [...inputs, ...readdirSync(directory)]);
    expect(files.length).toBeGreaterThan(100);
    expect(files.filter((file) => /infra\/(local|cli)|(^|\/)(operations-)?page\.(html|css|js)$/.test(file))).toEqual(
      [],
    );
    const templates = readdirSync(service.outdir).filter((file) => file.endsWith('.template.json'));
    expect(templates.length).toBeGreaterThan(1);
    for (const file of templates)
      expect(readFileSync(join(service.outdir, file), 'utf8')).not.toContain('operations-page');
  });
});

const stateMachine = z.object({ DefinitionString: z.unknown() });

const transition = z.object({ Next: z.string() });

/** The part of the Amazon States Language that says what leads where. */
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

describe('the states of a verification', () => {
  const service = synthesise('prod');
  const [found] = service.ofType('AWS::StepFunctions::StateMachine', stateMachine);
  const { StartAt, States } = definition.parse(JSON.parse(service.text(found?.properties.DefinitionString)));
  const graph = stateGraph(verificationMachine);

  test('are on the page as in the definition', () => {
    const states = Object.entries(States).map(([name, { Type: type, Next, Choices, Default, Catch }]) => {
      const next = [...Choices.map((one) => one.Next), Default, Next, ...Catch.map((one) => one.Next)];
      return [name, { type, next: next.filter((to) => to !== undefined) }] as const;
    });
    expect(verificationMachine).toEqual({ start: StartAt, states: Object.fromEntries(states) });
  });

  test('are drawn in the documentation as in the definition', () => {
    expect(blocksIn(textOf('docs/operations.md'), 'mermaid')).toEqual([mermaid(graph)]);
  });

  test('are the states that operators read of an execution', () => {
    expect(new Set(graph.nodes.map(({ name }) => name))).toEqual(new Set(Object.values(verificationStates)));
  });
});

function mermaid({ start, nodes, edges }: StateGraph): string {
  const shapes: Readonly<Record<string, string>> = { Choice: '{{"?"}}', Succeed: '(["?"])' };
  const id = (node: StateGraph['start']) => `S${nodes.findIndex(({ name }) => name === node?.name)}`;
  const lines = [
    'flowchart LR',
    `begin(( )) --> ${id(start)}`,
    ...nodes.map((node) => `${id(node)}${(shapes[node.type] ?? '["?"]').replace('?', node.name)}`),
    ...edges.map(({ from, to }) => `${id(from)} --> ${id(to)}`),
  ];
  return `${lines.join('\n    ')}\n`;
}
