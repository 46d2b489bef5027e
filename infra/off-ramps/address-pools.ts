import { Duration } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import { FailureAlarm } from '#infra/platform/failure-alarm.ts';
import type { Keys } from '#infra/platform/keys.ts';
import { allowAskingCustodians } from '#infra/platform/partners.ts';
import { ScheduledFunction } from '#infra/platform/scheduled-function.ts';
import { type FunctionContext, ServiceFunction } from '#infra/platform/service-function.ts';
import { metricsNamespace } from '#infra/platform/service-log.ts';
import { custodiansOf } from '#infra/stage/stages.ts';
import { MISSING_ADDRESSES } from '#shared/off-ramps/custodians/fill-pools.ts';

const fillers = [
  { member: 'fillAddressPool', folder: 'off-ramps/fill-address-pool', what: 'addresses' },
  { member: 'fillTagPool', folder: 'off-ramps/fill-tag-pool', what: 'tags' },
] as const;

/**
 * Makes deposit addresses ahead of time where a new address takes calls of the custodian. Only the functions that make
 * addresses have the keys for that, and no request reaches these functions.
 */
export class AddressPools extends Construct {
  constructor(scope: Construct, id: string, context: FunctionContext, keys: Keys) {
    super(scope, id);
    const { stage } = context;
    const namespace = metricsNamespace(stage);
    const needed = fillers.filter(({ member }) => custodiansOf(stage).some(({ members }) => members[member]));
    for (const { member, folder, what } of needed) {
      const fill = new ServiceFunction(this, context, {
        folder,
        tables: { slots: ['PutItem', 'DeleteItem'] },
        // Each call is signed, which takes 5 ms of a whole processor: ten addresses a second take most of one.
        memoryMegabytes: 1769,
        // A run holds a slot, whose lease is a minute.
        timeoutSeconds: 55,
        impact: `No deposit ${what} are made for future off-ramps; those that exist are still assigned.`,
      }).setting('METRICS_NAMESPACE', namespace);
      allowAskingCustodians(fill, stage, keys, member);
      new ScheduledFunction(fill, `Makes deposit ${what} for future off-ramps.`);
    }
    if (needed.length === 0) return;
    new FailureAlarm(this, 'RunOut', {
      description:
        'Clients soon cannot create off-ramps: less than a fifth of the deposit addresses of a network is left. Look at the lines ADDRESS_NOT_MADE and ADDRESS_UNFINISHED in the logs of fill-address-pool and fill-tag-pool: cause has what the custodian answers.',
      runbook: 'deposit-addresses-run-out',
      metric: new Metric({
        namespace,
        metricName: MISSING_ADDRESSES,
        period: Duration.minutes(1),
        statistic: 'Maximum',
      }),
      // Percent of the size of the pool.
      threshold: 81,
      periods: { failing: 3, of: 3 },
      callsPeople: true,
    });
  }
}
