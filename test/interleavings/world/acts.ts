import { COMPLIANCE } from '#shared/events/incoming-events.ts';
import { OPERATION_STATUS } from '#shared/off-ramps/incoming-off-ramp-status.ts';
import type { Act } from './script.ts';
import type { Answered } from './service.ts';
import type { World } from './world.ts';

const API_LIMIT_SECONDS = 25;
const MOST_TRIES = 5;

/** Somebody outside does what the script says, and tries again for a while when the service does not answer. */
export async function perform(world: World, act: Act): Promise<void> {
  const { schedule, service, statusChanges, random } = world;
  await schedule.clock.sleep(act.at - schedule.clock.now().getTime());
  switch (act.does) {
    case 'create':
      return call(world, 'create', Number.POSITIVE_INFINITY, () => service.create(act.operation));
    case 'intrude':
      // Refused, whatever is said of it.
      await schedule.invoke('intrude', API_LIMIT_SECONDS, () => service.create(act.operation));
      return;
    case 'submit':
      return call(world, 'submit', 1 + random.below(MOST_TRIES), () => submit(world, act));
    case 'cancel':
      return call(world, 'cancel', 1 + random.below(MOST_TRIES), () => service.cancel(act.operation));
    case 'notify':
      return call(world, 'notify', 1 + random.below(MOST_TRIES), () => service.notify(act.transfer.facts));
    case 'end': {
      const detail = { operationId: act.operation.operationId, status: act.status };
      return statusChanges.send(JSON.stringify({ source: COMPLIANCE, 'detail-type': OPERATION_STATUS, detail }), 0);
    }
  }
}

/** A report that loses to another operation is remembered: its deposit is looked for all the same. */
async function submit({ service, lostReports }: World, report: Act & { readonly does: 'submit' }): Promise<Answered> {
  const answered = await service.submit(report.operation, report.txHash);
  if (answered.code === 'TX_HASH_ALREADY_DECLARED') lostReports.push(report);
  return answered;
}

async function call(world: World, name: string, tries: number, work: () => Promise<Answered>): Promise<void> {
  const { schedule, random } = world;
  for (let made = 1; made <= tries; made += 1) {
    const outcome = await schedule.invoke(name, API_LIMIT_SECONDS, work);
    if (outcome.state === 'DONE' && outcome.value.status < 500) return;
    if (outcome.state === 'THREW') schedule.fail(outcome.error);
    await schedule.clock.sleep(random.below(20_000));
  }
}
