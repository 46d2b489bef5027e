import {
  paginateListAWSDefaultServiceQuotas,
  paginateListServiceQuotas,
  type ServiceQuota,
  type ServiceQuotasClient,
} from '@aws-sdk/client-service-quotas';

/**
 * Values of the quotas of a service whose names contain this, by their names. AWS lists what is applied to the account
 * only where it is known: every other quota is AWS's default.
 */
export async function quotasOf(
  client: ServiceQuotasClient,
  service: string,
  part: string,
): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  const take = ({ QuotaName = '', Value }: ServiceQuota) => {
    if (QuotaName.includes(part) && Value !== undefined) found.set(QuotaName, Value);
  };
  const of = { ServiceCode: service };
  for await (const { Quotas = [] } of paginateListAWSDefaultServiceQuotas({ client }, of)) Quotas.forEach(take);
  for await (const { Quotas = [] } of paginateListServiceQuotas({ client }, of)) Quotas.forEach(take);
  return found;
}
