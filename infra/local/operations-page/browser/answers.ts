import * as z from 'zod/mini';

const said = z.object({
  answer: z.optional(z.looseObject({})),
  problem: z.optional(z.object({ detail: z.string(), code: z.optional(z.string()) })),
});

/** The service's reason instead of an answer. */
export class Problem extends Error {
  readonly code: string | undefined;

  constructor(detail: string, code: string | undefined) {
    super(detail);
    this.code = code;
  }
}

/** The answer as `npm run ops -- <name> --json` prints it. @throws {Error} with the service's reason */
export async function answerOf(name: string, query: Readonly<Record<string, string>>): Promise<unknown> {
  const response = await fetch(`/operations/data/${name}?${new URLSearchParams(query)}`).catch(() => undefined);
  if (response === undefined || !response.ok) throw new Error('The service does not answer. Does npm start still run?');
  const { answer, problem } = said.parse(await response.json());
  if (answer === undefined) {
    throw new Problem(problem?.detail ?? 'The service does not say why it refuses this.', problem?.code);
  }
  return answer;
}
