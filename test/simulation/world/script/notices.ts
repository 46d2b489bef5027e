import { CLIENT_STATUS } from '#shared/clients/incoming-client-status.ts';
import { COMPLIANCE, PAYOUTS } from '#shared/events/incoming-events.ts';
import { changeKey, eventIdOf, eventSubject } from '#shared/events/service-event.ts';
import { OPERATION_STATUS } from '#shared/off-ramps/model/incoming-off-ramp-status.ts';
import { HOUR, MINUTE, SECOND, START } from './moments.ts';
import type { OffRampContext } from './off-ramps.ts';
import type { NoticeScript } from './script.ts';

/** Writes notices of other services that are about no off-ramp of the round. */
export function writeNotices(context: OffRampContext): readonly NoticeScript[] {
  const { random, swarm } = context;
  return [
    ...(random.chance(swarm.rounds.suspension) ? writeSuspension(context) : []),
    ...(random.chance(swarm.rounds.strangeNotice) ? writeStrangeNotices(context) : []),
  ];
}

/** Compliance suspends a client for a while, repeats the notice, and approves the client several times. */
function writeSuspension({ random, clients, moment }: OffRampContext): readonly NoticeScript[] {
  const { clientId } = random.pick(clients);
  const at = START + moment();
  const field = random.pick(['status', 'complianceStatus']);
  const statusNotice = (after: number, status: string): NoticeScript => ({
    at: at + after,
    source: COMPLIANCE,
    type: CLIENT_STATUS,
    detail: { clientId, eventId: `${status}_${at + after}`, [field]: status },
  });
  const end = SECOND + random.below(random.pick([5 * SECOND, 10 * MINUTE, 3 * HOUR]));
  const suspended = random.pick(['suspended', 'rejected', 'in_review']);
  return [
    // Sent before the suspension, and perhaps delivered after it.
    statusNotice(-SECOND, 'approved'),
    statusNotice(0, suspended),
    statusNotice(random.below(2 * SECOND), suspended),
    statusNotice(end, 'approved'),
    statusNotice(end + 2 * SECOND, 'approved'),
    // An approval that arrives before the suspension is applied is ignored, so compliance repeats it.
    statusNotice(end + 5 * MINUTE, 'approved'),
  ];
}

const nextOf = (clientId: string) =>
  changeKey(eventSubject('client', clientId), 'compliance.client.status_changed', undefined, 1);

/** Notices with unknown ids or malformed details, notices to pass on, and notices that imitate the service itself. */
function writeStrangeNotices({ random, clients, moment }: OffRampContext): readonly NoticeScript[] {
  const at = START + moment();
  const { clientId } = random.pick(clients);
  const occurredAt = new Date(at).toISOString();
  const eventId = `transfer_${random.id()}`;
  const transfer: NoticeScript = {
    at,
    source: 'partner.demo',
    type: 'wallet_transfer.transfer.completed',
    detail: { clientId, eventId, occurredAt, transferId: random.id() },
  };
  const ofOperation = (detail: NoticeScript['detail']): NoticeScript => ({
    at,
    source: PAYOUTS,
    type: OPERATION_STATUS,
    detail,
  });
  const forged: NoticeScript = {
    ...transfer,
    type: 'ramp.operation.status_changed',
    detail: { clientId, eventId: `evt_${random.id()}`, occurredAt, operationId: random.id(), status: 'COMPLETED' },
  };
  return [
    transfer,
    { ...transfer, at: at + random.below(MINUTE) },
    // A forger who knows a client can compute the ids of its next events.
    { ...transfer, detail: { ...transfer.detail, eventId: eventIdOf(nextOf(clientId)) } },
    forged,
    { ...forged, source: 'some.other.app' },
    { ...transfer, source: 'some.other.app', detail: { ...transfer.detail, eventId: `transfer_${random.id()}` } },
    ofOperation({ operationId: random.id(), status: 'COMPLETED' }),
    ofOperation({ operationId: 'none', status: 'COMPLETED' }),
    { at, source: COMPLIANCE, type: CLIENT_STATUS, detail: { clientId: random.id(), status: 'approved' } },
  ];
}
