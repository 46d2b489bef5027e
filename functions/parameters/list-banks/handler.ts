import type { Context } from 'aws-lambda';
import * as z from 'zod/mini';
import {
  listBanksContract as listBanksAsAnyone,
  listBanksAsClientContract,
} from '#shared/parameters/parameter-contract.ts';
import { createListBanks } from '#shared/parameters/parameter-store.ts';
import { type AwsClients, warmUp } from '#shared/platform/aws/aws-clients.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { setting } from '#shared/platform/environment.ts';
import { clientEndpoint, publicEndpoint } from '#shared/platform/http/endpoints.ts';
import { listBanks } from './list-banks.ts';

const publicRoute = z.object({ resource: z.literal(listBanksAsAnyone.path) });

/** Serves two routes: the public one, and one that needs a valid access token. */
export function wire({ dynamo }: Pick<AwsClients, 'dynamo'>, clock: Clock) {
  const banks = createListBanks(dynamo, setting('PARAMETERS_TABLE'));
  const forAnyone = publicEndpoint(listBanksAsAnyone, clock, listBanks(banks));
  const forClients = clientEndpoint(listBanksAsClientContract, clock, listBanks(banks));
  return (event: unknown, context: Context) =>
    publicRoute.safeParse(event).success ? forAnyone(event, context) : forClients(event, context);
}

await warmUp(createListBanks(dynamo, setting('PARAMETERS_TABLE'))());
export const handler = wire({ dynamo }, systemClock);
