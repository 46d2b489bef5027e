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
 * Lists trails that log in this account and region, and log the end of a key. A trail of data events alone, or of all
 * management events but those of KMS, does not count. The selectors of an organisation's trail are not checked, because
 * they belong to another account.
 */
export async function loggingTrails(client: CloudTrailClient): Promise<readonly string[]> {
  const { trailList = [] } = await client.send(new DescribeTrailsCommand({}));
  const found = await Promise.all(
    // A trail of another region or account can be named only by its ARN.
    trailList.map(async ({ TrailARN: Name = '', HasCustomEventSelectors, IsOrganizationTrail }) => {
      const { IsLogging } = await client.send(new GetTrailStatusCommand({ Name }));
      if (IsLogging !== true) return [];
      // Without selectors of its own, a trail logs all management events.
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

/** True if each field that the selector names matches. */
function selectsEndOfKey(fields: readonly AdvancedFieldSelector[]): boolean {
  const of = { eventCategory: 'Management', readOnly: 'false', eventSource: KMS };
  return Object.entries(of).every(([name, value]) => {
    const { Equals, NotEquals } = fields.find(({ Field }) => Field === name) ?? {};
    return Equals?.includes(value) !== false && NotEquals?.includes(value) !== true;
  });
}
