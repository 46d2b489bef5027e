import {
  type AdvancedFieldSelector,
  type CloudTrailClient,
  DescribeTrailsCommand,
  GetEventSelectorsCommand,
  type GetEventSelectorsResponse,
  GetTrailStatusCommand,
} from '@aws-sdk/client-cloudtrail';

const KMS = 'kms.amazonaws.com';

/**
 * Trails that log in this account and region, and log the end of a key: data events alone, or all management but that of
 * KMS, are also a trail. What the trail of an organisation selects is not looked at: it is another account's.
 */
export async function loggingTrails(client: CloudTrailClient): Promise<readonly string[]> {
  const { trailList = [] } = await client.send(new DescribeTrailsCommand({}));
  const found = await Promise.all(
    // A trail of another region or account is known by its ARN alone.
    trailList.map(async ({ TrailARN: Name = '', HasCustomEventSelectors, IsOrganizationTrail }) => {
      const { IsLogging } = await client.send(new GetTrailStatusCommand({ Name }));
      if (IsLogging !== true) return [];
      // Without selectors of its own it logs all management.
      if (HasCustomEventSelectors !== true || IsOrganizationTrail === true) return Name;
      return tellsOfKeys(await client.send(new GetEventSelectorsCommand({ TrailName: Name }))) ? Name : [];
    }),
  );
  return found.flat();
}

function tellsOfKeys({ EventSelectors = [], AdvancedEventSelectors = [] }: GetEventSelectorsResponse): boolean {
  const isOfBoth = EventSelectors.some(
    ({ IncludeManagementEvents, ReadWriteType, ExcludeManagementEventSources = [] }) =>
      IncludeManagementEvents !== false && ReadWriteType !== 'ReadOnly' && !ExcludeManagementEventSources.includes(KMS),
  );
  return isOfBoth || AdvancedEventSelectors.some(({ FieldSelectors = [] }) => selectsEndOfKey(FieldSelectors));
}

/** Each field that a selector names has to fit. */
function selectsEndOfKey(fields: readonly AdvancedFieldSelector[]): boolean {
  const of = { eventCategory: 'Management', readOnly: 'false', eventSource: KMS };
  return Object.entries(of).every(([name, value]) => {
    const { Equals, NotEquals } = fields.find(({ Field }) => Field === name) ?? {};
    return Equals?.includes(value) !== false && NotEquals?.includes(value) !== true;
  });
}
