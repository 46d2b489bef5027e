import { Aws, CfnOutput, Duration, Stack, Validations } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { CfnFunction } from 'aws-cdk-lib/aws-lambda';
import { CfnSecret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { ProbeAlarm } from '#infra/platform/failure-alarm.ts';
import { HourlyFunction, ScheduledFunction } from '#infra/platform/scheduled-function.ts';
import { type FunctionContext, ServiceFunction } from '#infra/platform/service-function.ts';
import { metricsNamespace } from '#infra/platform/service-log.ts';
import type { Stage } from '#infra/stage/stages.ts';
import { isEvm, networks } from '#shared/networks/network.ts';

interface CanaryProps {
  /** URL of the tokens in the clients' API; `adminUrl` is that of the paths under /api/v1/admin/. */
  readonly baseUrl: string;
  readonly adminUrl: string;
}

const RUNBOOK = 'the-canary-fails';

/**
 * A client of the stage's own, which calls from outside as others do: no alarm on functions can see that nobody reaches
 * them.
 *
 * Each minute it gets a token and reads its data and the banks. Each run gets a token, because clients need that first,
 * and makes new connections. That costs about three dollars a month: 43,200 tokens ($0.65), 130,000 calls of the API
 * ($0.55), as many reads of the secret as tokens ($0.22), metrics, alarms and the secret ($1.50). Where deposits of an
 * EVM network are simulated, it takes a whole off-ramp each hour, which is counted like those of others.
 */
export class Canary extends Construct {
  readonly #context: FunctionContext;
  readonly #props: CanaryProps;
  readonly #secret: CfnSecret;

  constructor(scope: Construct, id: string, context: FunctionContext, props: CanaryProps) {
    super(scope, id);
    const { stage } = context;
    this.#context = context;
    this.#props = props;
    // The CDK's own construct would put a random text into the secret.
    this.#secret = new CfnSecret(this, 'Secret', {
      description: `${stage.name}: the client that npm run canary makes`,
    });
    Validations.of(this.#secret).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason: 'A person makes the client and its certificate, and rotates them as those of any client.',
    });
    new CfnOutput(Stack.of(this), 'CanarySecret', { value: this.#secret.attrId });
    const caller = this.#function('canary/call-as-client', {
      timeoutSeconds: 55,
      impact: 'Nobody is called when clients cannot reach the service; clients are not affected otherwise.',
    });
    const taker =
      takesOffRamps(stage) &&
      this.#function('canary/take-off-ramp', {
        timeoutSeconds: 270,
        impact: 'Nobody is called when an off-ramp does not reach its payout; clients are not affected otherwise.',
      });
    // The local AWS makes no metrics of log lines, and each run would be a process of this machine.
    if (stage.name === 'local') return;
    new ScheduledFunction(caller, 'Calls the service as a client.');
    const failures = (of: string, period: Duration) =>
      new Metric({ namespace: metricsNamespace(stage), metricName: `${of} failures`, period, statistic: 'Maximum' });
    new ProbeAlarm(this, 'Failing', {
      description:
        'Clients may be unable to reach the service: from outside, the canary could not get a token, its data or the banks, or it is silent. Look at the lines CALL_DONE in the log of call-as-client.',
      runbook: RUNBOOK,
      metric: failures('canary', Duration.minutes(1)),
      periods: { failing: 3, of: 5 },
    });
    if (!taker) return;
    new HourlyFunction(taker, 'Takes an off-ramp to its payout.');
    new ProbeAlarm(this, 'OffRampFailing', {
      description:
        'Off-ramps may be unable to reach their payout: two off-ramps of the canary in a row did not, or the canary is silent. Look at the lines CALL_DONE in the log of take-off-ramp.',
      runbook: RUNBOOK,
      metric: failures('canary off-ramp', Duration.hours(1)),
      periods: { failing: 2, of: 2 },
    });
  }

  #function(folder: string, limits: { readonly timeoutSeconds: number; readonly impact: string }): ServiceFunction {
    const { stage } = this.#context;
    const { baseUrl, adminUrl } = this.#props;
    const fn = new ServiceFunction(this, this.#context, { folder, memoryMegabytes: 512, runbook: RUNBOOK, ...limits });
    fn.setting('BASE_URL', baseUrl)
      .setting('ADMIN_URL', adminUrl)
      .setting('METRICS_NAMESPACE', metricsNamespace(stage))
      .setting('CANARY_SECRET', this.#secret.attrId)
      .grant(['secretsmanager:GetSecretValue'], [this.#secret.attrId]);
    if (stage.settings.canary !== undefined) callFrom(fn, stage.settings.canary);
    return fn;
  }
}

/** True if deposits of an EVM network are simulated, for which `npm run canary` has set the client up. */
function takesOffRamps({ hasSandbox, custodians }: Stage): boolean {
  return hasSandbox && networks.some((network) => isEvm(network) && custodians[network]?.isSimulated);
}

/** Lambda makes the function's network interfaces with the function's role; the function's code may not make any. */
function callFrom(
  fn: ServiceFunction,
  { subnets, securityGroup }: { readonly subnets: readonly string[]; readonly securityGroup: string },
): void {
  const resource = fn.lambda.node.defaultChild;
  if (!(resource instanceof CfnFunction)) throw new Error('The function has no resource.');
  resource.vpcConfig = { subnetIds: [...subnets], securityGroupIds: [securityGroup] };
  const ofInterfaces = ['CreateNetworkInterface', 'DescribeNetworkInterfaces', 'DeleteNetworkInterface'];
  const ofAddresses = ['DescribeSubnets', 'AssignPrivateIpAddresses', 'UnassignPrivateIpAddresses'];
  const actions = [...ofInterfaces, ...ofAddresses].map((action) => `ec2:${action}`);
  fn.grant(actions, ['*']);
  const ofFunctions = `arn:${Aws.PARTITION}:lambda:${Aws.REGION}:${Aws.ACCOUNT_ID}:function:*`;
  fn.lambda.addToRolePolicy(
    new PolicyStatement({
      effect: Effect.DENY,
      actions,
      resources: ['*'],
      conditions: { ArnLike: { 'lambda:SourceFunctionArn': ofFunctions } },
    }),
  );
}
