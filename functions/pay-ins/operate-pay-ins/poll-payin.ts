import { noPayin } from '#shared/pay-ins/no-pay-in.ts';
import type { pollPayinContract } from '#shared/pay-ins/pay-in-commands.ts';
import type { PollPayinNow } from '#shared/pay-ins/pay-in-repository.ts';
import type { Clock } from '#shared/platform/clock.ts';
import type { Change } from '#shared/platform/operators/audited.ts';

/** Only sets the time of the next poll; the usual worker asks the rail. */
export function pollPayin(pollNow: PollPayinNow, clock: Clock): Change<typeof pollPayinContract> {
  return async ({ payinId }) => {
    const nextPollAt = clock.now().toISOString();
    const payin = await pollNow(payinId, nextPollAt);
    if (payin === undefined) throw noPayin();
    const { clientId, userId } = payin;
    return { body: { payinId, nextPollAt }, ids: { payinId, clientId, userId } };
  };
}
