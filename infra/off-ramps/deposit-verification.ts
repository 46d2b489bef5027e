import { CfnResource, Duration, Fn, Stack, Validations } from 'aws-cdk-lib';
import {
  Choice,
  Condition,
  DefinitionBody,
  Errors,
  JitterType,
  LogLevel,
  QueryLanguage,
  StateMachine,
  StateMachineType,
  Succeed,
  Wait,
  WaitTime,
} from 'aws-cdk-lib/aws-stepfunctions';
import { LambdaInvoke } from 'aws-cdk-lib/aws-stepfunctions-tasks';
import { Construct } from 'constructs';
import { FailureAlarm } from '#infra/platform/failure-alarm.ts';
import type { Keys } from '#infra/platform/keys.ts';
import { allowAskingCustodians } from '#infra/platform/partners.ts';
import { ScheduledFunction } from '#infra/platform/scheduled-function.ts';
import { type FunctionContext, ServiceFunction } from '#infra/platform/service-function.ts';
import { ServiceLog } from '#infra/platform/service-log.ts';
import { verificationStates as states } from '#shared/off-ramps/model/verification.ts';
import { restoredEnvironment } from './return-environment.ts';

/**
 * Errors of Lambda itself, throttled or faulty, not of the function: an execution waits for their end, half an hour on
 * average. After a fault of the function, it breaks off within a minute.
 */
const LAMBDA_DID_NOT_RUN = [
  'Lambda.TooManyRequestsException',
  'Lambda.ServiceException',
  'Lambda.AWSLambdaException',
  'Lambda.SdkClientException',
  'Lambda.ClientExecutionTimeoutException',
];

/**
 * One execution per submitted hash, `{operationId}-{attempt}`: polls the custodian, waits, polls again, until the
 * deposit is verified, the hash is superseded or the window has ended. A sweep restarts lost executions; one that broke
 * off continues as `{operationId}-{attempt}-{run}`.
 */
export class DepositVerification extends Construct {
  readonly stateMachine: StateMachine;
  readonly checkDeposit: ServiceFunction;

  constructor(scope: Construct, id: string, context: FunctionContext, keys: Keys) {
    super(scope, id);
    const { stage } = context;
    const checkDeposit = new ServiceFunction(this, context, {
      folder: 'off-ramps/check-deposit',
      concurrencyGroup: 'checkDeposit',
      hasVersions: true,
      movesMoney: true,
      tables: {
        operations: ['GetItem', 'Query', 'UpdateItem'],
        events: ['PutItem', 'Query'],
        hashes: ['GetItem', 'PutItem', 'DeleteItem'],
        deposits: ['GetItem', 'PutItem', 'UpdateItem'],
      },
      memoryMegabytes: 256,
      timeoutSeconds: 30,
      impact: 'Reported deposits are not verified; off-ramps wait until the sweep restarts their verification.',
    }).setting('NETWORK_RULES', JSON.stringify(stage.networkRules));
    for (const [name, value] of Object.entries(restoredEnvironment(stage))) checkDeposit.setting(name, value);
    allowAskingCustodians(checkDeposit, stage, keys, 'findTransfers');
    this.checkDeposit = checkDeposit;

    // A log with this prefix needs no entry of its own in CloudWatch's resource policy, which has room for few.
    const log = new ServiceLog(this, 'Executions', stage, `/aws/vendedlogs/states/${uniqueName(Stack.of(this))}`);
    this.stateMachine = new StateMachine(this, 'DepositVerification', {
      stateMachineName: `${Stack.of(this).stackName}-deposit-verification`,
      comment: 'Verifies one reported deposit hash with the custodian. Find an execution by the id of its operation.',
      stateMachineType: StateMachineType.STANDARD,
      queryLanguage: QueryLanguage.JSONATA,
      definitionBody: DefinitionBody.fromChainable(this.#states(checkDeposit)),
      tracingEnabled: true,
      logs: { destination: log, level: LogLevel.ERROR },
    });
    Validations.of(this.stateMachine).acknowledge(
      { id: 'AwsSolutions-SF1', reason: 'Every check is in the history of the execution; errors are logged.' },
      {
        id: 'AwsSolutions-IAM5[Resource::*]',
        reason: 'Permissions to deliver logs and traces cannot be limited to a resource.',
      },
      // Where the function has versions, the machine may call only the live one.
      ...(checkDeposit.live === checkDeposit.lambda
        ? [
            {
              id: `AwsSolutions-IAM5[Resource::<${logicalId(checkDeposit)}.Arn>:*]`,
              reason: 'The versions of the one function that it calls.',
            },
          ]
        : []),
    );
    this.#alarmOnFailures();
    this.#sweep(context);
  }

  /** Lets a function start executions of the machine. */
  allowStarting(starter: ServiceFunction): ServiceFunction {
    const { stateMachineArn } = this.stateMachine;
    return starter.setting('STATE_MACHINE_ARN', stateMachineArn).grant(['states:StartExecution'], [stateMachineArn]);
  }

  #states(checkDeposit: ServiceFunction) {
    const check = LambdaInvoke.jsonata(this, states.check, {
      lambdaFunction: checkDeposit.live,
      outputs: '{% $states.result.Payload %}',
      retryOnServiceExceptions: false,
    });
    const fullJitter = { backoffRate: 2, jitterStrategy: JitterType.FULL };
    check.addRetry({
      ...fullJitter,
      errors: LAMBDA_DID_NOT_RUN,
      interval: Duration.seconds(1),
      maxAttempts: 20,
      maxDelay: Duration.minutes(5),
    });
    check.addRetry({
      ...fullJitter,
      errors: [Errors.ALL],
      interval: Duration.seconds(2),
      maxAttempts: 6,
      maxDelay: Duration.seconds(60),
    });
    const wait = Wait.jsonata(this, states.wait, {
      time: WaitTime.timestamp('{% $states.input.nextCheckAt %}'),
    });
    const outcome = (is: string) => Condition.jsonata(`{% $states.input.outcome = '${is}' %}`);
    const decide = Choice.jsonata(this, states.decide)
      .when(outcome('DEPOSIT_VERIFIED'), Succeed.jsonata(this, states.verified))
      .when(outcome('LOOK_AGAIN'), wait.next(check))
      .when(outcome('WINDOW_ENDED'), Succeed.jsonata(this, states.windowEnded))
      .otherwise(Succeed.jsonata(this, states.superseded));
    return check.next(decide);
  }

  #alarmOnFailures(): void {
    new FailureAlarm(this, 'Failed', {
      description:
        'A verification broke off, and its off-ramp waits for the next run: up to five minutes, then longer after each failure. Look at the failed executions of the state machine.',
      runbook: 'a-verification-broke-off',
      metric: this.stateMachine.metricFailed({ period: Duration.minutes(5) }),
    });
  }

  #sweep(context: FunctionContext): void {
    const sweep = new ServiceFunction(this, context, {
      folder: 'off-ramps/restart-lost-verifications',
      movesMoney: true,
      tables: { operations: ['Query', 'Query:due', 'UpdateItem'], clients: ['Query:byName'] },
      memoryMegabytes: 256,
      timeoutSeconds: 55,
      impact: 'A verification whose start or execution was lost is not restarted until its hash is submitted again.',
    });
    this.allowStarting(sweep);
    new ScheduledFunction(sweep, 'Restarts verifications whose next check is overdue.');
  }
}

/** A log that outlives its stack must not block the next stack of that name. */
function uniqueName({ stackName, stackId }: Stack): string {
  return `${stackName}-${Fn.select(2, Fn.split('/', stackId))}`;
}

function logicalId({ lambda }: ServiceFunction): string {
  const resource = lambda.node.defaultChild;
  return resource instanceof CfnResource ? Stack.of(lambda).getLogicalId(resource) : '';
}
