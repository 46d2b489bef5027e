import type { Outside } from '#test/simulation/world/outside.ts';
import type { PayinScript, PaymentFate } from '#test/simulation/world/script/script.ts';
import { notify } from './notify.ts';
import { RAIL, type RailPayment, railNotification, railSignature } from './rail.ts';

/** Milliseconds for which a payment can be paid. */
const PAYABLE = 3600_000;

/** Milliseconds after its last end within which the rail loses a payment. */
const LOST_WITHIN = 2 * 3600_000;

/** Payers pay what they are asked for, or do not; the rail notifies the service of each result. */
export function startPayers(outside: Outside, payins: readonly PayinScript[]): void {
  const { rail, host } = outside;
  const asked = new Set<PayinScript>();
  rail.onTaken((payment) => {
    const script = payins.find(({ amount }) => String(amount) === payment.phases[0].amount);
    // A payer who is asked twice for the same pay-in pays once.
    const fates = script === undefined || asked.has(script) ? [] : script.fates;
    if (script !== undefined) asked.add(script);
    host.schedule.start(`payer of ${script?.name ?? 'a second order'}`, () => endPayment(outside, payment, fates));
  });
}

async function endPayment(outside: Outside, payment: RailPayment, fates: readonly PaymentFate[]): Promise<void> {
  const { schedule } = outside.host;
  const ends = fates.length > 0 ? fates : [{ after: PAYABLE, status: 'EXPIRED' } as const];
  const [{ amount, currency }] = payment.phases;
  let other: RailPayment | undefined;
  for (const { after, isOther = false, ...end } of ends) {
    await schedule.clock.sleep(Math.max(0, payment.takenAt + after - schedule.clock.now().getTime()));
    if (isOther) other ??= outside.rail.payAgain(payment);
    const changed = (isOther ? other : undefined) ?? payment;
    const status = end.status === 'EXPIRED' && outside.rail.isWompi ? 'FAILED' : end.status;
    changed.phases.push({ amount, currency, ...end, status, at: schedule.clock.now().getTime() });
    schedule.start('notification of the rail', () => notifyOf(outside, changed));
  }
  const isPaid = payment.phases.at(-1)?.status === 'COMPLETED' && other === undefined;
  if (!isPaid || !outside.host.random.chance(outside.swarm.rail.lost)) return;
  await schedule.clock.sleep(outside.host.random.below(LOST_WITHIN));
  payment.lostAt = schedule.clock.now().getTime();
}

function notifyOf({ host, request, swarm }: Outside, { reference, notifiedAt }: RailPayment): Promise<void> {
  const body = railNotification(reference);
  const notification = {
    path: `/api/payment-rail/notifications/${RAIL}`,
    body,
    headers: railSignature.headers(body),
    forgedHeaders: railSignature.forgedHeaders(body),
  };
  return notify(host, request, swarm.railNotifications, notification, notifiedAt);
}
