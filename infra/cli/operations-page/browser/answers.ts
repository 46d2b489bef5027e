import * as z from 'zod/mini';
import { type Setup, setup } from '../setup.ts';

const fetched = z.object({
  answer: z.optional(z.looseObject({})),
  problem: z.optional(z.object({ detail: z.string(), code: z.optional(z.string()) })),
});

/** A refusal of the service, with its reason. */
export class Problem extends Error {
  readonly code: string | undefined;

  constructor(detail: string, code: string | undefined) {
    super(detail);
    this.code = code;
  }
}

/** The name of the token. The printed address passes it in once, and other tabs of this origin read it from storage. */
const TOKEN = 'token';
const given = new URLSearchParams(location.hash.slice(1)).get(TOKEN);
if (given !== null) {
  localStorage.setItem(TOKEN, given);
  history.replaceState(null, '', `${location.pathname}${location.search}`);
}

/** The answer as `npm run ops -- <name> --json` prints it. @throws {Error} with the service's reason */
export async function answerOf(name: string, query: Readonly<Record<string, string>>): Promise<unknown> {
  const { answer, problem } = fetched.parse(await read(`data/${name}?${new URLSearchParams(query)}`));
  if (answer === undefined) {
    throw new Problem(problem?.detail ?? 'The service does not say why it refuses this.', problem?.code);
  }
  return answer;
}

export async function readSetup(): Promise<Setup> {
  return setup.parse(await read('setup'));
}

async function read(path: string): Promise<unknown> {
  const token = localStorage.getItem(TOKEN);
  const headers = token === null ? {} : { 'X-Page-Token': token };
  const response = await fetch(`/operations/${path}`, { headers }).catch(() => undefined);
  if (response?.status === 401) throw new Error((await response.text()).trim());
  if (response === undefined || !response.ok)
    throw new Error('The page is no longer served. Is its command still running?');
  return await response.json();
}
