import type { Person } from '#infra/cli/command-context.ts';
import { runOps } from '#infra/cli/run-ops.ts';
import { operatorsWorld } from './operators-world.ts';
import { serviceNowhere } from './service-nowhere.ts';

interface Typing {
  /** The person at the terminal; nobody by default. */
  readonly person?: Partial<Person>;
  readonly files?: Readonly<Record<string, string>>;
  /** Answers in place of the function behind the API. */
  readonly fetch?: typeof fetch;
  /** What the person does before stopping a command that goes on. @param printed until then */
  readonly meanwhile?: (printed: string) => Promise<void>;
}

/** The command line, on the functions that it calls and tables in memory. */
export function opsWorld(...given: Parameters<typeof operatorsWorld>) {
  const world = operatorsWorld(...given);

  async function ops(typed: readonly string[], { person, files = {}, fetch = world.fetch, meanwhile }: Typing = {}) {
    let printed = '';
    let said = '';
    let calls = 0;
    const secretFiles = new Map<string, string>();
    const status = await runOps(typed, {
      print: (text) => {
        printed += text;
      },
      say: (text) => {
        said += text;
      },
      person: person && { ...nobodyAsked, ...person },
      read: async (file) => {
        const text = files[file];
        if (text === undefined) throw new Error(`There is no ${file}.`);
        return text;
      },
      clock: world.clock,
      makeSecretFile: async (file) => {
        if (file in files) throw new Error(`There is a ${file}.`);
        return {
          write: async (text) => void secretFiles.set(file, text),
          remove: async () => void secretFiles.delete(file),
        };
      },
      findService: async () => ({
        ...serviceNowhere,
        fetch: async (...call) => {
          calls += 1;
          return await fetch(...call);
        },
      }),
      untilStopped: async () => meanwhile?.(printed),
    });
    return { status, printed, said, calls, secretFiles };
  }
  return { ...world, ops };
}

const nobodyAsked: Person = {
  value: ({ name }) => Promise.reject(new Error(`Nobody should be asked for ${name}.`)),
  reason: () => Promise.reject(new Error('Nobody should be asked why.')),
  agrees: (question) => Promise.reject(new Error(`Nobody should be asked: ${question}`)),
};
