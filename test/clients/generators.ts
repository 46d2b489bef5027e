import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectDirectory } from '#infra/cli/local-directory.ts';
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

/**
 * A client for each language of which the service has none itself, built; two of them take an off-ramp. All with the
 * options that everybody gives: generators that do not understand webhooks take the description without them.
 */
export function generators(workplaceOf: WorkplaceOf, baseUrl: string): readonly Trial[] {
  const withoutWebhooks = `${baseUrl}/api/openapi.json?without=webhooks`;
  return [
    pythonClient(workplaceOf('openapi-python-client')),
    oapiCodegen(workplaceOf('oapi-codegen'), withoutWebhooks),
    openapiGeneratorJava(workplaceOf('openapi-generator-java')),
    openapiGeneratorPython(workplaceOf('openapi-generator-python'), withoutWebhooks),
  ];
}

/** As the page of the API says, so that a value that comes later is no fault. */
const withoutLists = (text: string) =>
  JSON.stringify(JSON.parse(text), (name, value) => (name === 'enum' ? undefined : value));
const LENIENT = 'disallowAdditionalPropertiesIfNotPresent=false,enumUnknownDefaultCase=true';

function pythonClient({ directory, prepare, python }: Workplace): Trial {
  const description = join(directory, 'description.json');
  const generate = ['-m', 'openapi_python_client', 'generate', '--path', description, '--meta', 'none'];
  return {
    name: `openapi-python-client ${OPENAPI_PYTHON_CLIENT}`,
    needs: ['python3'],
    steps: [
      [
        'generated',
        async () => {
          await prepare({ 'off_ramp.py': 'off-ramps/off_ramp.py' });
          await writeFile(description, withoutLists(await readFile(document, 'utf8')));
          await python([...generate, '--output-path', 'api_client', '--fail-on-warning']);
        },
      ],
      ['built', () => python(['-c', IMPORT_ALL, 'api_client'])],
      ['off-ramp COMPLETED', async () => expectCompleted(await python(['off_ramp.py']))],
    ],
  };
}

function oapiCodegen({ directory, prepare, run }: Workplace, address: string): Trial {
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
          const options = ['-generate', 'types,client', '-package', 'client'];
          await run('go', ['run', tool, ...options, '-o', join(directory, 'client', 'client.go'), address]);
        },
      ],
      ['built', () => run('go', ['build', '-o', 'off-ramp', '.'])],
      ['off-ramp COMPLETED', async () => expectCompleted(await run('./off-ramp', []))],
    ],
  };
}

function openapiGeneratorJava({ directory, prepare, maven, openapiGenerator }: Workplace): Trial {
  return {
    name: `openapi-generator ${OPENAPI_GENERATOR} java`,
    needs: ['java', 'javac', 'mvn'],
    steps: [
      [
        'generated',
        async () => {
          await prepare({});
          await openapiGenerator(['-g', 'java', '-i', document, '-o', '.', `--additional-properties=${LENIENT}`]);
        },
      ],
      ['accepting what is new', () => expectLenient(join(directory, 'src/main/java/org/openapitools/client/model'))],
      ['built', () => maven(['-Dmaven.test.skip=true', 'compile'])],
    ],
  };
}

function openapiGeneratorPython({ prepare, openapiGenerator, run }: Workplace, address: string): Trial {
  return {
    name: `openapi-generator ${OPENAPI_GENERATOR} python`,
    needs: ['java', 'mvn', 'python3'],
    steps: [
      [
        'generated',
        async () => {
          await prepare({});
          await openapiGenerator(['-g', 'python', '-i', address, '-o', '.']);
        },
      ],
      ['compiled', () => run('python3', ['-m', 'compileall', '-q', '.'])],
    ],
  };
}

/** By default its Java throws at a field and at a value that it does not know. */
async function expectLenient(model: string): Promise<void> {
  const textOf = (name: string) => readFile(join(model, `${name}.java`), 'utf8');
  if ((await textOf('Operation')).includes('is not defined in the')) throw new Error('It refuses a field.');
  if (!(await textOf('OperationStatus')).includes('return UNKNOWN_DEFAULT')) throw new Error('It refuses a value.');
}

/** The last word of a program that took an off-ramp. */
function expectCompleted(printed: string): void {
  if (!/(^|\n)COMPLETED\n$/.test(printed)) throw new Error(`The program ended with: ${printed}`);
}
