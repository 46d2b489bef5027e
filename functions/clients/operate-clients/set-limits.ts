import type { setLimitsContract } from '#shared/clients/client-commands.ts';
import type { ClientOnboarding } from '#shared/clients/client-onboarding.ts';
import type { FindClient } from '#shared/clients/client-repository.ts';
import type { CostlyCall, DailyLimits } from '#shared/clients/daily-allowances.ts';
import { noClient } from '#shared/clients/no-client.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { retryOnConflict } from '#shared/platform/dynamodb/transaction.ts';
import { type FieldError, invalid } from '#shared/platform/http/api-error.ts';
import type { Change } from '#shared/platform/operators/audited.ts';

interface Dependencies {
  readonly clients: Pick<ClientOnboarding, 'replaceSetting'>;
  readonly findClient: FindClient;
  /** The stage's default limits. */
  readonly mostPerDay: Readonly<Record<CostlyCall, number>>;
  readonly clock: Clock;
}

/** The sweeps and providers of the stage are not made for more than this multiple. */
const MOST_TIMES = 10;

/** Sets a client's daily limits from its next call on; absent ones stay as they are. */
export function setLimits({ clients, findClient, mostPerDay, clock }: Dependencies): Change<typeof setLimitsContract> {
  function refuseWrong(given: DailyLimits): void {
    if (Object.keys(given).length === 0) {
      const message = 'is required unless payIns or reports is given';
      throw invalid({ path: 'body.arguments.offRamps', code: 'REQUIRED', message });
    }
    const tooHigh = (name: CostlyCall): FieldError[] => {
      const most = MOST_TIMES * mostPerDay[name];
      const message = `must be at most ${most}, ten times the default limit`;
      return (given[name] ?? 0) > most ? [{ path: `body.arguments.${name}`, code: 'OUT_OF_RANGE', message }] : [];
    };
    const errors = [...tooHigh('offRamps'), ...tooHigh('payIns'), ...tooHigh('reports')];
    if (errors.length > 0) throw invalid(...errors);
  }

  return async ({ clientId, ...given }) => {
    refuseWrong(given);
    const limits = await retryOnConflict(clock, async () => {
      const client = await findClient(clientId);
      if (client === undefined) throw noClient();
      const after = { ...client.dailyLimits, ...given };
      await clients.replaceSetting(client, 'dailyLimits', after);
      return after;
    });
    const { offRamps = mostPerDay.offRamps, payIns = mostPerDay.payIns, reports = mostPerDay.reports } = limits;
    return { body: { clientId, offRamps, payIns, reports }, ids: { clientId } };
  };
}
