import { stripVTControlCharacters } from 'node:util';
import type { WorkplaceOf } from './generators.ts';
import type { Tool, Trial } from './trial.ts';
import type { Workplace } from './workplace.ts';

interface StockClient {
  readonly needs: readonly Tool[];
  /** Files of ours that it needs, by their names in its folder. */
  readonly files: Readonly<Record<string, string>>;
  readonly build?: (workplace: Workplace) => Promise<string>;
  /** Prints `token`, or the error that the library read. */
  readonly ask: (workplace: Workplace) => Promise<string>;
}

const stockClients: Readonly<Record<string, StockClient>> = {
  Authlib: {
    needs: ['python3'],
    files: { 'client.py': 'oauth/authlib_client.py' },
    ask: ({ python }) => python(['client.py']),
  },
  'golang.org/x/oauth2': {
    needs: ['go'],
    files: { 'go.mod': 'pinned/go.mod', 'go.sum': 'pinned/go.sum', 'main.go': 'oauth/x-oauth2.go' },
    build: ({ run }) => run('go', ['build', '-o', 'client', '.']),
    ask: ({ run }) => run('./client', []),
  },
  Nimbus: {
    needs: ['java', 'javac', 'mvn'],
    files: { 'pom.xml': 'pinned/pom.xml', 'src/main/java/NimbusClient.java': 'oauth/NimbusClient.java' },
    build: ({ maven }) => maven(['compile']),
    ask: ({ maven }) => maven(['exec:java']),
  },
};

/**
 * Stock OAuth clients, which get a token, and report a wrong secret as what it is (RFC 6749 §5.2).
 *
 * @param good makes workplaces whose environment has the right secret
 * @param wrong makes those with another one
 */
export function oauthClients(good: WorkplaceOf, wrong: WorkplaceOf): readonly Trial[] {
  return Object.entries(stockClients).map(([name, { needs, files, build, ask }]) => {
    const folder = name.replaceAll(/\W/g, '-').toLowerCase();
    const [client, withWrongSecret] = [good(folder), wrong(folder)];
    return {
      name,
      needs,
      steps: [
        ['built', () => client.prepare(files).then(() => build?.(client))],
        ['has a token', async () => expectPrinted('token', await ask(client))],
        ['reports invalid_client', async () => expectPrinted('invalid_client', await ask(withWrongSecret))],
      ],
    };
  });
}

function expectPrinted(expected: string, printed: string): void {
  // Maven prints colours, also where nobody sees them.
  if (stripVTControlCharacters(printed).trim() !== expected) throw new Error(`Not ${expected}, but: ${printed}`);
}
