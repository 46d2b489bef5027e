import type { Context } from 'aws-lambda';
import * as z from 'zod/mini';
import { listBanks as listBanksAsAnyone, listBanksAsClient } from '#shared/contracts/parameters.ts';
import { dynamo } from '#shared/dynamodb/client.ts';
import { banksIn } from '#shared/dynamodb/parameters.ts';
import { anyCaller } from '#shared/http/authorisation.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { setting } from '#shared/runtime/environment.ts';
import { primed } from '#shared/runtime/primed.ts';
import { listBanks } from './list-banks.ts';

const banks = banksIn(dynamo, setting('PARAMETERS_TABLE'));
await primed(banks());

const forAnyone = endpoint(listBanksAsAnyone, anyCaller, listBanks(banks));
const forClients = endpoint(listBanksAsClient, anyCaller, listBanks(banks));
const publicRoute = z.object({ resource: z.literal(listBanksAsAnyone.path) });

/** Serves two routes; on any but the public one the access token has to be alive. */
export const handler = (event: unknown, context: Context) =>
  publicRoute.safeParse(event).success ? forAnyone(event, context) : forClients(event, context);
