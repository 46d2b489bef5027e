import { CloudTrailClient, type GetEventSelectorsResponse, type Trail } from '@aws-sdk/client-cloudtrail';
import { expect, test } from 'vitest';
import { loggingTrails } from '#infra/cli/trails.ts';

const arn = (name: string) => `arn:aws:cloudtrail:us-east-1:1:trail/${name}`;

const clientWith = (trailList: readonly Trail[], selectors: GetEventSelectorsResponse = {}) =>
  Object.assign(new CloudTrailClient({ region: 'us-east-1' }), {
    send: async ({ input }: { readonly input: { readonly Name?: string; readonly TrailName?: string } }) => {
      if (input.TrailName !== undefined) return selectors;
      return input.Name === undefined ? { trailList } : { IsLogging: input.Name !== arn('stopped') };
    },
  });

test('only a trail that logs tells of calls', async () => {
  const client = clientWith([{ TrailARN: arn('stopped') }, { TrailARN: arn('of-all') }]);
  expect(await loggingTrails(client)).toEqual([arn('of-all')]);
});

const field = (Field: string, ...Equals: string[]) => ({ Field, Equals });
const management = field('eventCategory', 'Management');
const advanced = (...FieldSelectors: object[]) => ({ AdvancedEventSelectors: [{ FieldSelectors }] });
const notOf = (source: string) => ({ Field: 'eventSource', NotEquals: [source] });

test.each<[string, object, boolean]>([
  ['all', { EventSelectors: [{ IncludeManagementEvents: true, ReadWriteType: 'All' }] }, true],
  ['data alone', { EventSelectors: [{ IncludeManagementEvents: false }] }, false],
  ['what reads', { EventSelectors: [{ ReadWriteType: 'ReadOnly' }] }, false],
  ['all but KMS', { EventSelectors: [{ ExcludeManagementEventSources: ['kms.amazonaws.com'] }] }, false],
  ['management, of fields', advanced(management), true],
  ['what writes, of fields', advanced(management, field('readOnly', 'false'), notOf('rdsdata.amazonaws.com')), true],
  ['data, of fields', advanced(field('eventCategory', 'Data')), false],
  ['what reads, of fields', advanced(management, field('readOnly', 'true')), false],
  ['all but KMS, of fields', advanced(management, notOf('kms.amazonaws.com')), false],
])('whether a trail of %s tells of the end of a key', async (_, selectors, tells) => {
  const trail = { TrailARN: arn('own'), HasCustomEventSelectors: true };
  expect(await loggingTrails(clientWith([trail], selectors))).toEqual(tells ? [arn('own')] : []);
  const ofOrganisation = { ...trail, IsOrganizationTrail: true };
  expect(await loggingTrails(clientWith([ofOrganisation], selectors))).toEqual([arn('own')]);
});
