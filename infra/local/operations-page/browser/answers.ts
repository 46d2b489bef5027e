import * as z from 'zod/mini';

const said = z.object({
  answer: z.optional(z.looseObject({})),
  problem: z.optional(z.object({ detail: z.string() })),
});

/** What `npm run ops -- <name> --json` prints. @throws {Error} with what the service says in place of it */
export async function answerOf(name: string, query: Readonly<Record<string, string>>): Promise<unknown> {
  const response = await fetch(`/operations/data/${name}?${new URLSearchParams(query)}`).catch(() => undefined);
  if (response === undefined || !response.ok) throw new Error('The service does not answer. Does npm start still run?');
  const { answer, problem } = said.parse(await response.json());
  if (answer === undefined) throw new Error(problem?.detail ?? 'The service does not say why it refuses this.');
  return answer;
}
