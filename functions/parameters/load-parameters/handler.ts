import * as z from 'zod/mini';
import { parameterLists } from '#shared/parameters/parameter-lists.ts';
import { createParameterStore } from '#shared/parameters/parameter-store.ts';
import type { AwsClients } from '#shared/platform/aws/aws-clients.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { setting } from '#shared/platform/environment.ts';
import { logEachCall } from '#shared/platform/logger.ts';
import { createCustomResource } from './custom-resource.ts';
import { loadParameters } from './load-parameters.ts';
import { retryWhileDenied } from './retry-while-denied.ts';
import { createSendAnswer } from './send-answer.ts';

const properties = z.object({ Lists: z.string() });

export function wire({ dynamo }: Pick<AwsClients, 'dynamo'>, clock: Clock) {
  const load = loadParameters(createParameterStore(dynamo, setting('PARAMETERS_TABLE')));
  return logEachCall(
    'load-parameters',
    clock,
    createCustomResource(async (given) => {
      const lists = parameterLists.parse(JSON.parse(properties.parse(given).Lists));
      await retryWhileDenied(() => load(lists), clock);
    }, createSendAnswer(clock)),
    () => ({}),
  );
}

export const handler = wire({ dynamo }, systemClock);
