import type { Context } from 'aws-lambda';
import * as z from 'zod/mini';
import { listBanks as listBanksAsAnyone, listBanksAsClient } from '#shared/contracts/parameters.ts';
import { dynamo } from '#shared/dynamodb/client.ts';
import { banksIn } from '#shared/dynamodb/parameters.ts';
import { clientEndpoint, publicEndpoint } from '#shared/http/endpoints.ts';
import type { AwsClients } from '#shared/runtime/aws-clients.ts';
import { type Clock, systemClock } from '#shared/runtime/clock.ts';
import { setting } from '#shared/runtime/environment.ts';
import { primed } from '#shared/runtime/primed.ts';
import { listBanks } from './list-banks.ts';

const publicRoute = z.object({ resource: z.literal(listBanksAsAnyone.path) });

/** Serves two routes; on any but the public one the access token has to be alive. */
export function wire({ dynamo }: Pick<AwsClients, 'dynamo'>, clock: Clock) {
  const banks = banksIn(dynamo, setting('PARAMETERS_TABLE'));
  const forAnyone = publicEndpoint(listBanksAsAnyone, clock, listBanks(banks));
  const forClients = clientEndpoint(listBanksAsClient, clock, listBanks(banks));
  return (event: unknown, context: Context) =>
    publicRoute.safeParse(event).success ? forAnyone(event, context) : forClients(event, context);
}

await primed(banksIn(dynamo, setting('PARAMETERS_TABLE'))());
export const handler = wire({ dynamo }, systemClock);
