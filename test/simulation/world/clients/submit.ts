import type { KnownOffRamp } from '#test/simulation/world/memory.ts';
import type { Outside } from '#test/simulation/world/outside.ts';
import { codeOf, type Session } from './session.ts';

/** A client reports a hash, and remembers what was said of it. */
export async function submit(
  { host, memory }: Outside,
  session: Session,
  { script, operationId }: KnownOffRamp,
  txHash: string,
): Promise<void> {
  const at = host.schedule.clock.now().getTime();
  const path = `/api/v1/admin/operation/${script.user.userId}/withdrawal/${operationId}/hash`;
  const answer = await session.persist({ method: 'POST', path, body: { txHash } });
  const said = answer && { status: answer.status, code: codeOf(answer) };
  memory.submissions.push({ operationId, txHash, at, ...said });
}
