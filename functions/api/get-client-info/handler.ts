import { getClientInfo as contract } from '#shared/contracts/client-info.ts';
import { dynamo } from '#shared/dynamodb/client.ts';
import { clientProfilesIn } from '#shared/dynamodb/client-profiles.ts';
import { clientEndpoint } from '#shared/http/endpoints.ts';
import { setting } from '#shared/runtime/environment.ts';
import { NOBODY, primed } from '#shared/runtime/primed.ts';
import { getClientInfo } from './get-client-info.ts';

const findProfile = clientProfilesIn(dynamo, setting('CLIENTS_TABLE'));
await primed(findProfile(NOBODY));

export const handler = clientEndpoint(contract, getClientInfo(findProfile));
