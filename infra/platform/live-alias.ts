import { Aws, Duration, Lazy, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { CfnApplication, CfnDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Alias, CfnAlias, type Function as LambdaFunction, type VersionOptions } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { Stage } from '#infra/stage/stages.ts';
import { FailureAlarm, ServiceAlarm } from './failure-alarm.ts';
import { FAILURES_BY_FUNCTION_METRIC, metricsNamespace } from './service-log.ts';

const NAME = 'live';

/** The value of `-c release` with which a deployment moves all aliases at once. */
export const RELEASE_AT_ONCE = 'at-once';

interface VersionedFunction extends Construct {
  readonly lambda: LambdaFunction;
  readonly impact: string;
  /** Below `functions`. */
  readonly folder: string;
}

/** A tenth of the calls for five minutes, then all. */
const STEPS = 'CodeDeployDefault.LambdaCanary10Percent5Minutes';

/**
 * The version of a function that its callers reach: API Gateway, queues and the state machine know only this alias. A
 * deployment publishes a new version and moves the alias to it, in steps where the stage says so. As soon as an alarm
 * goes off in between, the alias moves back, and the whole update of the stack fails and is undone.
 *
 * The local AWS refuses this, so its stage leaves it out.
 */
export class LiveAlias extends Alias {
  /**
   * Old versions stay, so that a person can move the alias back in a second. A version whose deployment failed is
   * deleted: Lambda publishes nothing twice, so the same code could not be deployed again.
   */
  static readonly versions: VersionOptions = { removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE };

  constructor(fn: VersionedFunction, stage: Stage, { sharesLog }: { readonly sharesLog: boolean }) {
    // @ts-expect-error the CDK's versions do not fit its own interface under exactOptionalPropertyTypes
    super(fn, 'Live', { aliasName: NAME, version: fn.lambda.currentVersion });
    const { gradualReleases = [] } = stage;
    if (gradualReleases !== 'all' && !gradualReleases.includes(fn.folder)) return;
    if (sharesLog) alarmOnFailures(fn, stage);
    this.#moveInSteps(fn);
  }

  #moveInSteps(fn: VersionedFunction): void {
    const application = applicationOf(Stack.of(this));
    const group = new CfnDeploymentGroup(this, 'Deployment', {
      applicationName: application.ref,
      serviceRoleArn: new MovingRole(this, fn.lambda.functionArn).roleArn,
      deploymentConfigName: STEPS,
      deploymentStyle: { deploymentType: 'BLUE_GREEN', deploymentOption: 'WITH_TRAFFIC_CONTROL' },
      alarmConfiguration: {
        enabled: true,
        alarms: Lazy.any({ produce: () => undoingAlarms(fn).map(({ alarmName }) => ({ name: alarmName })) }),
      },
      autoRollbackConfiguration: {
        enabled: true,
        events: ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_ALARM', 'DEPLOYMENT_STOP_ON_REQUEST'],
      },
    });
    const { defaultChild } = this.node;
    if (!(defaultChild instanceof CfnAlias))
      throw new Error('The CDK makes aliases differently than before: adapt infra/platform/live-alias.ts.');
    // An active alarm stops a gradual release, even one that would end the alarm. The alarm and all else that belongs to
    // gradual releases stay in the stack, because the alarm still calls people.
    if (this.node.tryGetContext('release') === RELEASE_AT_ONCE) return;
    // Because of this reference, the group has the alarms of the same deployment before the alias moves.
    defaultChild.cfnOptions.updatePolicy = {
      codeDeployLambdaAliasUpdate: { applicationName: application.ref, deploymentGroupName: group.ref },
    };
  }
}

/**
 * Alarms on faults of this release. An alarm that is already on would stop it, so none that others can set off is here.
 */
function undoingAlarms(fn: VersionedFunction): readonly ServiceAlarm[] {
  const all = Stack.of(fn).node.findAll();
  const own = fn.node.findAll();
  return all
    .filter((one) => one instanceof ServiceAlarm)
    .filter((one) => one.undoesReleases === 'ALL' || (one.undoesReleases === 'OWN' && own.includes(one)));
}

/**
 * Alarms on failures of this function: those of a new version, which gets a tenth of its calls, hardly show among the
 * calls of the whole API. A failed start or a time-out writes no line of a request; Lambda counts it as an error.
 */
function alarmOnFailures(fn: VersionedFunction, stage: Stage): void {
  const everyFiveMinutes = { period: Duration.minutes(5), statistic: 'Sum' } as const;
  const route = fn.node.id;
  new FailureAlarm(fn, 'Failing', {
    description: `${fn.impact} At least two of its calls fail within five minutes, and at least 5 % of all. Look at the lines REQUEST_FAILED with route ${route} in the log of the routes, and at the lines that Lambda itself writes there.`,
    runbook: 'a-route-fails',
    metric: new MathExpression({
      expression: '(FILL(failed, 0) + errors >= 2) AND (20 * (FILL(failed, 0) + errors) >= calls)',
      usingMetrics: {
        failed: new Metric({
          namespace: metricsNamespace(stage),
          metricName: FAILURES_BY_FUNCTION_METRIC,
          dimensionsMap: { Route: route },
          ...everyFiveMinutes,
        }),
        errors: fn.lambda.metricErrors(everyFiveMinutes),
        calls: fn.lambda.metricInvocations(everyFiveMinutes),
      },
      ...{ period: everyFiveMinutes.period, label: 'calls go on failing' },
    }),
  });
}

/** The application for all functions of a stack. */
function applicationOf(stack: Stack): CfnApplication {
  const known = stack.node.tryFindChild('Releases');
  return known instanceof CfnApplication ? known : new CfnApplication(stack, 'Releases', { computePlatform: 'Lambda' });
}

/** The role of CodeDeploy, which may move this alias and no other. */
class MovingRole extends Role {
  /** @param aliasArn made from names: a reference would be circular, because the alias moves by this role */
  constructor(alias: LiveAlias, functionArn: string, aliasArn = `${functionArn}:${NAME}`) {
    const moves = new PolicyStatement({
      actions: ['lambda:GetAlias', 'lambda:UpdateAlias', 'lambda:GetProvisionedConcurrencyConfig'],
      resources: [functionArn, aliasArn],
    });
    const looks = new PolicyStatement({ actions: ['cloudwatch:DescribeAlarms'], resources: ['*'] });
    super(alias, 'Role', {
      assumedBy: new ServicePrincipal('codedeploy.amazonaws.com', {
        conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
      }),
      inlinePolicies: { Release: new PolicyDocument({ statements: [moves, looks] }) },
    });
    Validations.of(this).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'CodeDeploy reads the states of alarms, which are in no resource of their own.',
    });
  }
}
