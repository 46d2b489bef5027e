import { rotateSecretContract } from '#shared/clients/client-commands.ts';
import type { Console } from '#test/simulation/world/operators/console.ts';
import type { Outside } from '#test/simulation/world/outside.ts';
import type { ClientScript } from '#test/simulation/world/script/script.ts';
import { at } from './in-time.ts';
import type { Session } from './session.ts';

/** An operator ends a leaked secret at once; the client goes on with the new one later. */
export async function replaceLeaked(
  outside: Outside,
  operator: Console,
  session: Session,
  leak: NonNullable<ClientScript['leak']>,
): Promise<void> {
  await at(outside, leak.at);
  const answer = await operator.change('rotate-secret', { clientId: session.client.clientId, now: true });
  if (answer === undefined || answer.status >= 400) return;
  session.endSecret();
  await at(outside, leak.until);
  session.endSecret(rotateSecretContract.success.body.parse(JSON.parse(answer.body)).clientSecret);
}
