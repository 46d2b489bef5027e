import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { type StateGraph, stateGraph } from '#infra/local/operations-page/state-graph.ts';
import { verificationStates } from '#shared/off-ramps/model/verification.ts';
import { blocksIn, textOf } from '#test/support/markdown.ts';
import { bundles, stageNames, synthesise } from '#test/support/synthesised.ts';

describe.each(stageNames)('the page of operations in %s', (stageName) => {
  const service = synthesise(stageName);

  test('is in nothing that is deployed', () => {
    const files = [...bundles.values()].flatMap(({ directory, inputs }) => [...inputs, ...readdirSync(directory)]);
    expect(files.length).toBeGreaterThan(100);
    expect(files.filter((file) => /infra\/local|(^|\/)(operations-)?page\.(html|css|js)$/.test(file))).toEqual([]);
    const templates = readdirSync(service.outdir).filter((file) => file.endsWith('.template.json'));
    expect(templates.length).toBeGreaterThan(1);
    for (const file of templates)
      expect(readFileSync(join(service.outdir, file), 'utf8')).not.toContain('operations-page');
  });
});

const machine = z.object({ DefinitionString: z.unknown() });

describe('the states of a verification', () => {
  const service = synthesise('prod');
  const [found] = service.ofType('AWS::StepFunctions::StateMachine', machine);
  const graph = stateGraph(service.text(found?.properties.DefinitionString));

  test('are drawn in the documentation as the definition has them', () => {
    expect(blocksIn(textOf('docs/operations.md'), 'mermaid')).toEqual([mermaid(graph)]);
  });

  test('are those that operators read of an execution', () => {
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
