import { Stack } from 'aws-cdk-lib';
import type { Stage } from '#infra/stage/stages.ts';
import type { HttpApi } from './http-api.ts';

/** An API's address without a reference to its deployment, on which the API's own functions cannot depend. */
export function innerUrl(stage: Stage, { restApi }: HttpApi): string {
  const { region, urlSuffix } = Stack.of(restApi);
  return stage.localEndpoint === undefined
    ? `https://${restApi.restApiId}.execute-api.${region}.${urlSuffix}/${stage.name}`
    : `${stage.localEndpoint}/restapis/${restApi.restApiId}/${stage.name}/_user_request_`;
}
