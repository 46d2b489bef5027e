import { getOfframpHash as contract } from '#shared/contracts/offramp-hash.ts';
import { dynamo } from '#shared/dynamodb/client.ts';
import { operationsIn } from '#shared/dynamodb/operations.ts';
import { clientEndpoint } from '#shared/http/endpoints.ts';
import { setting } from '#shared/runtime/environment.ts';
import { NOBODY, primed } from '#shared/runtime/primed.ts';
import { getOfframpHash } from './get-offramp-hash.ts';

const operations = operationsIn(dynamo, setting('OPERATIONS_TABLE'));
await primed(operations.findWithVerification(NOBODY));

export const handler = clientEndpoint(contract, getOfframpHash(operations));
