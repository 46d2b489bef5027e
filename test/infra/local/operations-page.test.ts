import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { graphFiles } from '#infra/local/operations-page/graph-files.ts';
import { operatorRoutes } from '#infra/operators/operator-routes.ts';
import { verificationStates } from '#shared/off-ramps/model/verification.ts';
import { routesOf } from '#test/support/api-body.ts';
import { textOf } from '#test/support/markdown.ts';
import { bundles, stageNames, synthesise } from '#test/support/synthesised.ts';

describe.each(stageNames)('the page of operations in %s', (stageName) => {
  const service = synthesise(stageName);

  test('is not there: of what begins like its address, the APIs have the routes of operators alone', () => {
    const alike = routesOf(service).filter(({ path }) => path.startsWith('/operations'));
    const declared = operatorRoutes.map(({ contract: { method, path } }) => `Operators ${method} ${path}`);
    expect(alike.map(({ route }) => route).toSorted()).toEqual(declared.toSorted());
  });

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

describe('the pictures of the state machine', () => {
  const service = synthesise('prod');
  const [found] = service.ofType('AWS::StepFunctions::StateMachine', machine);
  const definition = service.text(found?.properties.DefinitionString);

  test.each(graphFiles(definition))(
    '%s is what the definition gives: if this fails, run npm run graphs',
    (file, text) => {
      expect(textOf(file)).toBe(text);
    },
  );

  test('have the states that operators read of an execution', () => {
    const [[, text = ''] = []] = graphFiles(definition);
    const drawn = [...text.matchAll(/data-state="([^"]+)"/g)].map(([, name]) => name);
    expect(new Set(drawn)).toEqual(new Set(Object.values(verificationStates)));
  });
});
