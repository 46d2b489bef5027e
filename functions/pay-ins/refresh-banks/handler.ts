import { createRuledBanks } from '#shared/parameters/ruled-banks.ts';
import { bankRailOf } from '#shared/pay-ins/payment-methods.ts';
import { paymentRailsSetting, railByMethodSetting } from '#shared/pay-ins/rails/payment-rails.ts';
import { createListRailBanks, type Rails } from '#shared/pay-ins/rails/rail-boundary.ts';
import type { AwsClients } from '#shared/platform/aws/aws-clients.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { setting } from '#shared/platform/environment.ts';
import { logEachCall } from '#shared/platform/logger.ts';
import { refreshBanks } from './refresh-banks.ts';

export function wire(
  { dynamo, rails }: Pick<AwsClients, 'dynamo'> & { readonly rails: Rails<'listBanks'> },
  clock: Clock,
) {
  const rail = bankRailOf(railByMethodSetting()) ?? '';
  const listBanks = rails.get(rail)?.listBanks;
  if (listBanks === undefined) throw new Error('No rail of the stage has a list of banks.');
  const banks = createRuledBanks(dynamo, setting('PARAMETERS_TABLE'));
  return logEachCall(
    'refresh-banks',
    clock,
    refreshBanks({ rail, listBanks: createListRailBanks(listBanks, clock), banks, clock }),
    (written) => ({ written }),
  );
}

const rails = paymentRailsSetting(({ listBanks }) => ({ ...(listBanks && { listBanks: listBanks(systemClock) }) }));
export const handler = wire({ dynamo, rails }, systemClock);
