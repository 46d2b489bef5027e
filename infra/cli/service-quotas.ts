import {
  paginateListAWSDefaultServiceQuotas,
  paginateListServiceQuotas,
  type ServiceQuota,
  type ServiceQuotasClient,
} from '@aws-sdk/client-service-quotas';

/**
 * The values of a service's quotas whose names contain this part, by their names. AWS lists the value that an account
 * has only where it knows one; every other quota has AWS's default.
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
