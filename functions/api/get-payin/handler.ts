import { getPayin as contract } from '#shared/contracts/get-payin.ts';
import { dynamo } from '#shared/dynamodb/client.ts';
import { payinsIn } from '#shared/dynamodb/payins.ts';
import { anyCaller } from '#shared/http/authorisation.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { setting } from '#shared/runtime/environment.ts';
import { NOBODY, primed } from '#shared/runtime/primed.ts';
import { getPayin } from './get-payin.ts';

const payins = payinsIn(dynamo, setting('PAYINS_TABLE'));
await primed(payins.find(NOBODY));

export const handler = endpoint(contract, anyCaller, getPayin(payins));
