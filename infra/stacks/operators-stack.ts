import type { Construct } from 'constructs';
import { innerUrl } from '#infra/api/inner-url.ts';
import type { FunctionBundles } from '#infra/bundle/bundle-functions.ts';
import { CustodianAlarms } from '#infra/off-ramps/custodian-alarms.ts';
import { AccessAlarms } from '#infra/operators/access-alarms.ts';
import { Canary } from '#infra/operators/canary.ts';
import { Dashboards } from '#infra/operators/dashboards.ts';
import { watchKeys } from '#infra/operators/key-endings.ts';
import { MeasuredAges } from '#infra/operators/measured-ages.ts';
import { Objectives } from '#infra/operators/objectives.ts';
import { SavedQueries } from '#infra/operators/saved-queries.ts';
import { watchSpending } from '#infra/operators/spending.ts';
import { traceSomeCalls } from '#infra/operators/traced-calls.ts';
import { notifyOfAlarms } from '#infra/platform/alarm-topics.ts';
import type { Domain } from '#infra/stage/settings.ts';
import type { Stage } from '#infra/stage/stages.ts';
import type { DataStack } from './data-stack.ts';
import { createOperatorsApi } from './operators-api.ts';
import type { ServiceStack } from './service-stack.ts';
import { StageStack } from './stage-stack.ts';

interface OperatorsStackProps {
  readonly stage: Stage;
  readonly bundles: FunctionBundles;
  readonly data: DataStack;
  readonly service: ServiceStack;
}

/**
 * The operators' API, and what measures the service as a whole. It is deployed after the service, which does not know
 * it. It is a stack of its own because a stack has room for 500 resources, and the service would need more.
 */
export class OperatorsStack extends StageStack {
  constructor(scope: Construct, id: string, { stage, bundles, data, service }: OperatorsStackProps) {
    super(scope, id, { stage, description: `Fiat pay-in and crypto off-ramp API, ${stage.name}: its operators` });
    const { clients, ...shared } = service.apis;
    const context = { stage, bundles, tables: data.tables };
    createOperatorsApi(this, context, { ...shared, service });
    new MeasuredAges(this, 'Ages', context);
    const urlOf = (domain: Domain | undefined) => (domain ? `https://${domain.name}` : innerUrl(stage, clients));
    const { api, admin } = stage.settings.domains ?? {};
    new Canary(this, 'Canary', context, { baseUrl: urlOf(api), adminUrl: urlOf(admin) });
    new Objectives(this, 'Objectives', { stage, service, clients });
    new CustodianAlarms(this, 'Custodian', stage, service.asking);
    new AccessAlarms(this, 'Access', { stage, clients });
    new SavedQueries(this, 'Queries', { stage, service });
    new Dashboards(this, 'Dashboards', { stage, service, stacks: [data, service, this] });
    const topics = notifyOfAlarms(this, stage, service.topics);
    // The local AWS traces nothing.
    if (stage.name !== 'local') traceSomeCalls(this, `${this.stackName.replace(/operators$/, '')}*`);
    if (topics !== undefined) watchKeys(this, data.keys, topics.call);
    const { monthlyBudget } = stage.settings;
    if (topics !== undefined && monthlyBudget !== undefined) watchSpending(this, monthlyBudget, topics.notice);
  }
}
