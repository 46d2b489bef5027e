import { listTokens as contract } from '#shared/contracts/parameters.ts';
import { dynamo } from '#shared/dynamodb/client.ts';
import { supportedTokensIn } from '#shared/dynamodb/parameters.ts';
import { publicEndpoint } from '#shared/http/endpoints.ts';
import { setting } from '#shared/runtime/environment.ts';
import { primed } from '#shared/runtime/primed.ts';
import { listTokens } from './list-tokens.ts';

const tokens = supportedTokensIn(dynamo, setting('PARAMETERS_TABLE'));
await primed(tokens());

export const handler = publicEndpoint(contract, listTokens(tokens));
