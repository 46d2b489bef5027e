import type { Outside } from '#test/simulation/world/outside.ts';
import type { PayinScript } from '#test/simulation/world/script/script.ts';
import { at, inTime } from './in-time.ts';
import { idOf, repeatCreation } from './repeat-creation.ts';
import type { Session } from './session.ts';

/** A client collects from one of its users through the API. */
export async function takePayin(outside: Outside, session: Session, script: PayinScript): Promise<void> {
  await at(outside, script.at);
  const { key } = script;
  const path = `/api/v1/admin/fiats/${script.userId}/payin`;
  const call = { method: 'POST', path, body: orderOf(script), key };
  const created = await (key === undefined ? session.call(call) : session.persist(call));
  if (created?.status !== 201) return;
  repeatCreation(outside, session, call, created, script.repeats);
  const payinId = idOf(created);
  if (payinId === undefined) return;
  outside.memory.payins.push({ script, payinId });
  inTime(outside, `reads ${script.name}`, script.reads, async ({ what }) => {
    const paths = { PAYIN: `${path}/${payinId}`, LIST: `${path}?limit=2` };
    await session.call({ method: 'GET', path: paths[what] });
  });
}

function orderOf({ at, amount, paymentMethod, bank, phone, externalReference, expiresAfter }: PayinScript): object {
  const expirationDate = expiresAfter === undefined ? undefined : new Date(at + expiresAfter).toISOString();
  return { amount, currency: 'COP', paymentMethod, bank, phone, externalReference, expirationDate };
}
