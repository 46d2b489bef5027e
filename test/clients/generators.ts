import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectDirectory } from '#infra/local/local-directory.ts';
import { OAPI_CODEGEN, OPENAPI_GENERATOR, OPENAPI_PYTHON_CLIENT } from './pinned/versions.ts';
import type { Trial } from './trial.ts';
import type { Workplace } from './workplace.ts';

/** Makes the workplace of a name. */
export type WorkplaceOf = (name: string) => Workplace;

const document = join(projectDirectory, 'openapi.json');

/** Loads every module of a package: Python finds a missing name no earlier. */
const IMPORT_ALL = `
import importlib, pkgutil, sys
package = importlib.import_module(sys.argv[1])
for module in pkgutil.walk_packages(package.__path__, package.__name__ + '.'): importlib.import_module(module.name)
`;

/** A client from each generator, built, and an off-ramp by three of them. */
export function generators(workplaceOf: WorkplaceOf): readonly Trial[] {
  return [
    pythonClient(workplaceOf('openapi-python-client')),
    oapiCodegen(workplaceOf('oapi-codegen')),
    typescriptFetch(workplaceOf('openapi-generator-typescript-fetch')),
    openapiGenerator('python', workplaceOf('openapi-generator-python'), {
      needs: ['python3'],
      // Without events: of these it writes functions that are no Python.
      options: ['--global-property', 'apis,models,supportingFiles'],
      build: ({ python }) => python(['-c', IMPORT_ALL, 'openapi_client']),
    }),
    openapiGenerator('java', workplaceOf('openapi-generator-java'), {
      needs: ['javac'],
      build: ({ maven }) => maven(['-Dmaven.test.skip=true', 'compile']),
    }),
    openapiGenerator('go', workplaceOf('openapi-generator-go'), {
      needs: ['go'],
      // Without it Go has one PENDING for all enums that have one.
      options: ['--additional-properties=enumClassPrefix=true'],
      build: ({ run }) => run('go', ['build', '-mod=mod', './...']),
    }),
  ];
}

function pythonClient({ prepare, python }: Workplace): Trial {
  const generate = ['-m', 'openapi_python_client', 'generate', '--path', document, '--meta', 'none'];
  return {
    name: `openapi-python-client ${OPENAPI_PYTHON_CLIENT}`,
    needs: ['python3'],
    steps: [
      [
        'generated',
        async () => {
          await prepare({ 'off_ramp.py': 'off-ramps/off_ramp.py' });
          await python([...generate, '--output-path', 'api_client', '--fail-on-warning']);
        },
      ],
      ['built', () => python(['-c', IMPORT_ALL, 'api_client'])],
      ['off-ramp COMPLETED', async () => expectCompleted(await python(['off_ramp.py']))],
    ],
  };
}

function oapiCodegen({ directory, prepare, run }: Workplace): Trial {
  const tool = `github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v${OAPI_CODEGEN}`;
  return {
    name: `oapi-codegen ${OAPI_CODEGEN}`,
    needs: ['go'],
    steps: [
      [
        'generated',
        async () => {
          const pinned = { 'go.mod': 'pinned/go.mod', 'go.sum': 'pinned/go.sum' };
          await prepare({ ...pinned, 'main.go': 'off-ramps/off-ramp.go' });
          await mkdir(join(directory, 'client'));
          // It takes schemas that only events have for unused, and prunes them.
          const options = ['-generate', 'types,client,skip-prune', '-package', 'client'];
          await run('go', ['run', tool, ...options, '-o', join(directory, 'client', 'client.go'), document]);
        },
      ],
      ['built', () => run('go', ['build', '-o', 'off-ramp', '.'])],
      ['off-ramp COMPLETED', async () => expectCompleted(await run('./off-ramp', []))],
    ],
  };
}

function typescriptFetch({ directory, prepare, run, openapiGenerator: generate }: Workplace): Trial {
  return {
    name: `openapi-generator ${OPENAPI_GENERATOR} typescript-fetch`,
    needs: ['java', 'mvn'],
    steps: [
      [
        'generated',
        async () => {
          await prepare({ 'off-ramp.ts': 'off-ramps/off-ramp.ts' });
          await writeFile(join(directory, 'package.json'), '{"type":"commonjs"}');
          await generate(['-g', 'typescript-fetch', '-i', document, '-o', 'client']);
        },
      ],
      ['built', () => run('tsc', ['--outDir', 'built', ...COMPILER_OPTIONS, 'off-ramp.ts'])],
      ['off-ramp COMPLETED', async () => expectCompleted(await run('node', ['built/off-ramp.js']))],
    ],
  };
}

const COMPILER_OPTIONS = [
  '--strict',
  '--target',
  'es2022',
  '--module',
  'nodenext',
  '--types',
  'node',
  '--ignoreConfig',
];

interface Further {
  readonly needs: Trial['needs'];
  readonly options?: readonly string[];
  readonly build: (workplace: Workplace) => Promise<string>;
}

function openapiGenerator(language: string, workplace: Workplace, { needs, options = [], build }: Further): Trial {
  return {
    name: `openapi-generator ${OPENAPI_GENERATOR} ${language}`,
    needs: ['java', 'mvn', ...needs],
    steps: [
      [
        'generated',
        async () => {
          await workplace.prepare({});
          await workplace.openapiGenerator(['-g', language, '-i', document, '-o', '.', ...options]);
        },
      ],
      ['built', () => build(workplace)],
    ],
  };
}

/** The last word of a program that took an off-ramp. */
function expectCompleted(printed: string): void {
  if (!/(^|\n)COMPLETED\n$/.test(printed)) throw new Error(`The program ended with: ${printed}`);
}
