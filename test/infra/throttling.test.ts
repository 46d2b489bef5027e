import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { stageNames, synthesise } from '#test/support/synthesised.ts';

const stageProperties = z.object({
  MethodSettings: z.array(
    z.object({
      HttpMethod: z.string(),
      ResourcePath: z.string(),
      ThrottlingRateLimit: z.number(),
      ThrottlingBurstLimit: z.number(),
      MetricsEnabled: z.boolean(),
      LoggingLevel: z.string(),
    }),
  ),
});

const limits = { local: [10_000, 5000], staging: [50, 100], prod: [500, 1000] } as const;

test.each(stageNames)('requests per second and burst of both APIs of %s are those of the stage', (stageName) => {
  const apis = synthesise(stageName).ofType('AWS::ApiGateway::Stage', stageProperties);
  const all = apis.map(({ properties }) =>
    properties.MethodSettings.filter(({ ResourcePath }) => ResourcePath === '/*'),
  );
  expect(all).toHaveLength(2);
  for (const settings of all) {
    expect(settings.map((one) => [one.HttpMethod, one.ThrottlingRateLimit, one.ThrottlingBurstLimit])).toEqual([
      ['*', ...limits[stageName]],
    ]);
  }
});

test.each(stageNames)('test sends, which hold a function while an endpoint hangs, are few in %s', (stageName) => {
  const apis = synthesise(stageName).ofType('AWS::ApiGateway::Stage', stageProperties);
  const single = apis.flatMap(({ properties }) =>
    properties.MethodSettings.filter(({ ResourcePath }) => ResourcePath !== '/*'),
  );
  expect(single).toEqual([
    {
      HttpMethod: 'POST',
      ResourcePath: '/~1api~1webhooks~1{clientId}~1{webhook_id}~1test',
      ThrottlingRateLimit: 2,
      ThrottlingBurstLimit: 10,
      MetricsEnabled: false,
      LoggingLevel: 'ERROR',
    },
  ]);
});
