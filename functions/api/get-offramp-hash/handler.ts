import { getOfframpHash as contract } from '#shared/contracts/offramp-hash.ts';
import { dynamo } from '#shared/dynamodb/client.ts';
import { operationsIn } from '#shared/dynamodb/operations.ts';
import { anyCaller } from '#shared/http/authorisation.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { setting } from '#shared/runtime/environment.ts';
import { getOfframpHash } from './get-offramp-hash.ts';

export const handler = endpoint(contract, anyCaller, getOfframpHash(operationsIn(dynamo, setting('OPERATIONS_TABLE'))));
