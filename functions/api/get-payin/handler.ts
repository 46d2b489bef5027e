import { getPayin as contract } from '#shared/contracts/get-payin.ts';
import { dynamo } from '#shared/dynamodb/client.ts';
import { payinsIn } from '#shared/dynamodb/payins.ts';
import { clientEndpoint } from '#shared/http/endpoints.ts';
import { setting } from '#shared/runtime/environment.ts';
import { NOBODY, primed } from '#shared/runtime/primed.ts';
import { getPayin } from './get-payin.ts';

const payins = payinsIn(dynamo, setting('PAYINS_TABLE'));
await primed(payins.find(NOBODY));

export const handler = clientEndpoint(contract, getPayin(payins));
