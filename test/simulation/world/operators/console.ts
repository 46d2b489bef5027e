import * as z from 'zod/mini';
import type { HttpAnswer } from '#test/simulation/aws/gateway.ts';
import type { Command } from '#test/simulation/books/truth.ts';
import { isOutcome } from '#test/simulation/world/clients/session.ts';
import type { Outside } from '#test/simulation/world/outside.ts';

/** Calls the operators' API, and retries when a call was not answered. */
export interface Console {
  /** Runs a command that changes something. */
  change(name: string, input: Command['input'], by?: string): Promise<HttpAnswer | undefined>;
  /** Reads all pages of a list. */
  list(name: string): Promise<readonly Row[] | undefined>;
  /** Reads one look-up. */
  read(path: string): Promise<unknown>;
}

const page = z.object({ items: z.array(z.record(z.string(), z.unknown())), nextSince: z.optional(z.string()) });

export type Row = z.infer<typeof page>['items'][number];

/** Returns the identity that a person in a role signs with. */
export function identityOf(person: string, role = 'operators'): string {
  return `arn:aws:sts::000000000000:assumed-role/${role}/${person}`;
}

const OPERATOR = identityOf('ana');

/** The second person, who confirms the first one's proposals. */
export const SECOND_OPERATOR = identityOf('bea');

/** Milliseconds. */
const PATIENCE = 6 * 3600_000;
const PAUSE = 60_000;

export function createConsole({ request, host, memory }: Pick<Outside, 'request' | 'host' | 'memory'>): Console {
  const { schedule } = host;
  const now = () => schedule.clock.now().getTime();

  async function persist(
    method: 'GET' | 'POST',
    path: string,
    body?: object,
    signedBy = OPERATOR,
  ): Promise<HttpAnswer | undefined> {
    const sent = body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const until = now() + PATIENCE;
    for (;;) {
      const answer = await request({ method, path: `/operations/${path}`, signedBy, ...sent });
      if ((answer !== undefined && isOutcome(answer)) || now() > until) return answer;
      await schedule.clock.sleep(PAUSE);
    }
  }

  return {
    async change(name, input, by) {
      const answer = await persist('POST', name, { arguments: input, reason: 'It waits.' }, by);
      if (answer === undefined) return undefined;
      const auditId = answer.headers['X-Audit-Id'];
      const outcome = { status: answer.status, ...(auditId !== undefined && { auditId }) };
      memory.commands.push({ at: now(), name, input, ...outcome });
      return answer;
    },
    async read(path) {
      const answer = await persist('GET', path);
      return answer?.status === 200 ? JSON.parse(answer.body) : undefined;
    },
    async list(name) {
      const rows: Row[] = [];
      for (let since: string | undefined, path = name; ; path = `${name}?since=${since}`) {
        const answer = await persist('GET', path);
        if (answer?.status !== 200) return undefined;
        const { items, nextSince } = page.parse(JSON.parse(answer.body));
        rows.push(...items);
        if (nextSince === undefined) return rows;
        if (since !== undefined && nextSince <= since) throw new Error(`The list ${name} never ends: ${nextSince}.`);
        since = nextSince;
      }
    },
  };
}
