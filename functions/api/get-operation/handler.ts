import { getOperation as contract } from '#shared/contracts/get-operation.ts';
import { dynamo } from '#shared/dynamodb/client.ts';
import { operationsIn } from '#shared/dynamodb/operations.ts';
import { clientEndpoint } from '#shared/http/endpoints.ts';
import { setting } from '#shared/runtime/environment.ts';
import { NOBODY, primed } from '#shared/runtime/primed.ts';
import { getOperation } from './get-operation.ts';

const operations = operationsIn(dynamo, setting('OPERATIONS_TABLE'));
await primed(operations.findWithVerification(NOBODY));

export const handler = clientEndpoint(contract, getOperation(operations));
