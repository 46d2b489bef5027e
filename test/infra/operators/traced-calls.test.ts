import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { type Synthesised, synthesise } from '#test/support/synthesised.ts';

const rule = z.object({
  SamplingRule: z.looseObject({
    FixedRate: z.number(),
    ReservoirSize: z.int(),
    RuleName: z.string(),
    ServiceName: z.string(),
  }),
});

const rulesOf = (service: Synthesised) =>
  service.ofType('AWS::XRay::SamplingRule', rule).map(({ properties }) => properties.SamplingRule);

test.each(['staging', 'prod'] as const)(
  'one in fifty calls of the APIs of %s is traced, without the first call of each second',
  (stageName) => {
    const service = synthesise(stageName);
    const [found, ...others] = rulesOf(service);
    expect(others).toEqual([]);
    expect(found).toMatchObject({ FixedRate: 0.02, ReservoirSize: 0, ServiceType: 'AWS::ApiGateway::Stage' });
    expect(found?.RuleName.length).toBeLessThanOrEqual(32);
    const [begin = '', ...rest] = found?.ServiceName.split('*') ?? [];
    expect([begin, rest]).toEqual([`payin-offramp-${stageName}-`, ['']]);
    const apis = service.ofType('AWS::ApiGateway::RestApi', z.object({ Name: z.string() }));
    expect(apis).toHaveLength(3);
    expect(apis.filter(({ properties: { Name } }) => !Name.startsWith(begin))).toEqual([]);
  },
);

test('the local AWS traces nothing', () => {
  expect(rulesOf(synthesise('local'))).toEqual([]);
});
