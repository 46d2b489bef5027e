import * as z from 'zod/mini';
import type { Outside } from '#test/simulation/world/outside.ts';
import type { Session } from './session.ts';

const listed = z.optional(z.array(z.object({ id: z.string() })));
const page = z.object({ operations: listed, payins: listed, nextCursor: z.optional(z.string()) });

/** A client reads the lists of its users to their ends: each order is there once, and no page after a cursor is empty. */
export async function readAll(outside: Outside, session: Session): Promise<void> {
  const { offRamps, payins } = outside.memory;
  for (const { userId } of session.client.users) {
    const isOfUser = ({ script }: { readonly script: { readonly userId: string } }) => script.userId === userId;
    const operations = offRamps.filter(isOfUser).map(({ operationId }) => operationId);
    await readList(outside, session, `/api/v1/admin/operation/${userId}/withdrawal`, operations);
    const collected = payins.filter(isOfUser).map(({ payinId }) => payinId);
    await readList(outside, session, `/api/v1/admin/fiats/${userId}/payin`, collected);
  }
}

async function readList({ host }: Outside, session: Session, path: string, known: readonly string[]): Promise<void> {
  const limit = String(host.random.pick([1, 2, Math.max(1, known.length)]));
  const ids: string[] = [];
  for (let cursor: string | undefined, isLast = false; !isLast; ) {
    const query = new URLSearchParams({ limit, ...(cursor !== undefined && { cursor }) });
    const answer = await session.persist({ method: 'GET', path: `${path}?${query}` });
    if (answer?.status !== 200) return;
    const { operations, payins, nextCursor } = page.parse(JSON.parse(answer.body));
    const items = operations ?? payins ?? [];
    if (cursor !== undefined && items.length === 0) host.schedule.fail(new Error(`${path} has an empty page.`));
    ids.push(...items.map(({ id }) => id));
    isLast = nextCursor === undefined;
    cursor = nextCursor;
  }
  const isWhole = new Set(ids).size === ids.length && known.every((id) => ids.includes(id));
  if (!isWhole) host.schedule.fail(new Error(`${path} has ${ids.join()}, and its client knows ${known.join()}.`));
}
