import * as z from 'zod/mini';
import type { HttpAnswer } from '#test/simulation/aws/gateway.ts';
import { Violation } from '#test/simulation/books/violation.ts';
import type { Outside } from '#test/simulation/world/outside.ts';
import { inTime } from './in-time.ts';
import { type ApiCall, codeOf, type Session } from './session.ts';

const created = z.object({ id: z.optional(z.string()), operation: z.optional(z.object({ id: z.string() })) });

/** Returns the id of what a creation has created. */
export function idOf({ body }: HttpAnswer): string | undefined {
  const { id, operation } = created.parse(JSON.parse(body));
  return operation?.id ?? id;
}

/**
 * Repeats a creation under its key, with the same body or another one, and fails the round if this creates anything.
 * The repeats come while the service still remembers the key.
 */
export function repeatCreation(
  outside: Outside,
  session: Session,
  call: ApiCall,
  first: HttpAnswer,
  repeats: readonly { readonly after: number; readonly isAnother: boolean }[],
): void {
  const { schedule } = outside.host;
  if (call.key === undefined) return;
  inTime(outside, `${session.client.name} repeats ${call.key}`, repeats, async ({ isAnother }) => {
    const body = isAnother ? { ...call.body, externalReference: 'another one' } : call.body;
    const answer = await session.persist({ ...call, ...(body !== undefined && { body }) });
    if (answer?.status === 201 && (isAnother || idOf(answer) !== idOf(first))) {
      schedule.fail(new Violation('one key makes one', { key: call.key, first: first.body, second: answer.body }));
    }
    if (isAnother && answer?.status === 422 && codeOf(answer) !== 'IDEMPOTENCY_KEY_REUSED') {
      schedule.fail(new Error(`Another body under the key ${call.key} was refused as ${codeOf(answer)}.`));
    }
  });
}
