import { at } from '#test/simulation/world/clients/in-time.ts';
import type { Session } from '#test/simulation/world/clients/session.ts';
import type { Outside } from '#test/simulation/world/outside.ts';
import { rememberCall } from '#test/simulation/world/remember-call.ts';
import type { DeedScript } from '#test/simulation/world/script/script.ts';
import { deeds } from './deeds.ts';

/** Milliseconds after which a token is expired for every reader, whatever its leeway and the skew of its clock. */
const EXPIRED_AFTER = 320_000;

/** A hostile client sends a forbidden request, and the round fails if it is not refused. */
export async function doDeed(outside: Outside, session: Session, script: DeedScript): Promise<void> {
  const { host, memory } = outside;
  const { schedule } = host;
  await at(outside, script.at);
  const victim = memory.offRamps.find((known) => known.script.name === script.victim);
  if (victim === undefined) return;
  const { clientId } = victim.script;
  const victimsPayin = memory.payins.find((known) => known.script.clientId === clientId);
  const victimsWebhook = memory.webhooks.find(({ client }) => client.clientId === clientId);
  const { headers, ...call } = deeds[script.deed]({ own: session.client, victim, victimsPayin, victimsWebhook });
  const bearer = await session.authorization();
  if (bearer === undefined) return;
  if (script.deed === 'EXPIRED_TOKEN') await schedule.clock.sleep(EXPIRED_AFTER);
  const authorization = script.deed === 'FORGED_TOKEN' ? forged(bearer, clientId) : bearer;
  const isAnonymous = script.deed === 'NO_TOKEN';
  const answer = await rememberCall(outside, isAnonymous ? 'nobody' : session.client.clientId, {
    ...call,
    headers: { ...headers, ...(!isAnonymous && { authorization }) },
  });
  if (answer !== undefined && answer.status < 400) {
    schedule.fail(new Error(`${script.deed} was not refused: ${answer.status} ${answer.body}`));
  }
}

/** Returns the client's own token with another client's id, so that the signature does not fit. */
function forged(bearer: string, clientId: string): string {
  const [header = '', claims = '', signature = ''] = bearer.split('.');
  const own: unknown = JSON.parse(Buffer.from(claims, 'base64url').toString());
  const theirs = JSON.stringify({ ...(typeof own === 'object' && own), sub: clientId });
  return [header, Buffer.from(theirs).toString('base64url'), signature].join('.');
}
