import {
  ListAWSDefaultServiceQuotasCommand,
  type ServiceQuota,
  ServiceQuotasClient,
} from '@aws-sdk/client-service-quotas';
import { expect, test } from 'vitest';
import { quotasOf } from '#infra/cli/service-quotas.ts';

/** An account for which AWS knows these values, and has these defaults. */
function accountWith(applied: readonly ServiceQuota[], defaults: readonly ServiceQuota[]): ServiceQuotasClient {
  return Object.assign(new ServiceQuotasClient({ region: 'us-east-1' }), {
    send: async (command: unknown) => ({
      Quotas: command instanceof ListAWSDefaultServiceQuotasCommand ? defaults : applied,
    }),
  });
}

const concurrent = (Value: number): ServiceQuota => ({ QuotaName: 'Concurrent executions', Value });

// A new account has no value of its own for many quotas: without the defaults its first deployment would be refused.
test('a quota that was never set for the account has the default of AWS, and one that was set its own', async () => {
  const others = [{ QuotaName: 'Function and layer storage', Value: 75 }];
  const found = async (applied: readonly ServiceQuota[]) =>
    Object.fromEntries(
      await quotasOf(accountWith(applied, [concurrent(1000), ...others]), 'lambda', 'Concurrent executions'),
    );
  expect(await found([])).toEqual({ 'Concurrent executions': 1000 });
  expect(await found([concurrent(10)])).toEqual({ 'Concurrent executions': 10 });
});
