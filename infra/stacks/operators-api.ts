import { CfnOutput, type Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { HttpApi } from '#infra/api/http-api.ts';
import { innerUrl } from '#infra/api/inner-url.ts';
import { operatorModules } from '#infra/operators/operator-routes.ts';
import { operatorsPolicy } from '#infra/operators/operators-policy.ts';
import { DeadLetters } from '#infra/platform/dead-letters.ts';
import type { OperatorRoute } from '#infra/platform/operator-route.ts';
import { type FunctionContext, ServiceFunction } from '#infra/platform/service-function.ts';
import { ERROR_LINES, ServiceLog } from '#infra/platform/service-log.ts';
import { WorkQueue } from '#infra/platform/work-queue.ts';
import type { Stage } from '#infra/stage/stages.ts';
import { sumOfUses, type TableUse } from '#infra/stage/table-shapes.ts';
import type { ApiContext } from './service-apis.ts';

interface OperatorsProps extends Omit<ApiContext, 'clients'> {
  /** The stack whose queues operators look at, and whose dead letters they move. */
  readonly service: Stack;
}

/**
 * The API of operators: identities of the account, who sign their calls. Their policies say what each may do: `GET`
 * looks up, `POST` changes, by functions that may do no more than that. No client and no provider reaches it.
 */
export function createOperatorsApi(
  scope: Construct,
  context: FunctionContext,
  { allow, logging, service }: OperatorsProps,
): void {
  const { stage } = context;
  const log = createOperatorsLog(scope, stage);
  const serve = (folder: string, impact: string, routes: readonly OperatorRoute[], also: TableUse) => {
    const tables = sumOfUses([...routes.map(({ tables }) => tables), also]);
    const names = also.audit === undefined ? {} : ({ isNamedByPolicy: true } as const);
    const fn = new ServiceFunction(scope, context, { folder, impact, tables, log, ...names, ...LIMITS });
    if (stage.docsUrl !== undefined) fn.setting('DOCS_URL', stage.docsUrl);
    const settings = routes.flatMap(({ environment }) => Object.entries(environment?.(stage) ?? {}));
    for (const [name, value] of settings) fn.setting(name, value);
    for (const permission of new Set(routes.flatMap(({ permissions = [] }) => permissions))) allow[permission](fn);
    if (routes.some(({ looksAtDeadLetters }) => looksAtDeadLetters)) allowLooking(fn, service);
    if (routes.some(({ movesDeadLetters }) => movesDeadLetters)) allowMoving(fn, service);
    return routes.map(({ contract }) => ({ contract, lambda: fn.lambda }));
  };
  const isChange = ({ contract }: OperatorRoute) => contract.method !== 'GET';
  const api = new HttpApi(scope, 'Operators', {
    stage,
    logging,
    description: "The operators' API",
    domains: {},
    isGuarded: false,
    policy: operatorsPolicy(stage),
    callsPeople: false,
    routes: [
      ...operatorModules.flatMap(({ looksUp, changes, of, routes }) => [
        ...serve(
          looksUp,
          `Operators cannot look up ${of}; clients notice nothing.`,
          routes.filter((route) => !isChange(route)),
          {},
        ),
        ...serve(changes, `Operators cannot change ${of}; clients notice nothing.`, routes.filter(isChange), {
          audit: ['PutItem'],
        }),
      ]),
    ],
  });
  new CfnOutput(scope, 'OperatorsApiUrl', { value: innerUrl(stage, api) });
}

const LIMITS = { memoryMegabytes: 512, timeoutSeconds: 25 } as const;

/** The log of all functions of operators; every line names its route. */
function createOperatorsLog(scope: Construct, stage: Stage): ServiceLog {
  const log = new ServiceLog(scope, 'OperatorsLog', stage);
  log.alarm(
    'Failures',
    { lines: ERROR_LINES, metricName: 'operators error lines' },
    {
      description:
        'Operators cannot look something up or change it; clients notice nothing. Look at the lines of level ERROR in the log of the operators: route names the command, or the lookup.',
      runbook: 'a-function-fails',
    },
  );
  return log;
}

/** Lets a function look at every queue of dead letters that exists by now, by the name of the work that failed. */
function allowLooking(fn: ServiceFunction, service: Stack): void {
  const found = service.node.findAll().filter((one) => one instanceof DeadLetters);
  fn.setting(
    'DEAD_LETTERS',
    // Without names of fields: the environment of a function has little room.
    JSON.stringify(
      found.map(({ node, queue, impact }) => [
        nameOf(node.path),
        queue.queueUrl,
        impact,
        node.scope instanceof WorkQueue,
      ]),
    ),
  ).grant(
    ['sqs:GetQueueAttributes', 'sqs:ReceiveMessage'],
    found.map(({ queue }) => queue.queueArn),
  );
}

/** The permissions that SQS requires to move messages (docs/on-aws.md, L10), for every queue with dead letters. */
function allowMoving(fn: ServiceFunction, service: Stack): void {
  const found = service.node.findAll().filter((one) => one instanceof WorkQueue);
  fn.setting(
    'WORK_QUEUES',
    JSON.stringify(Object.fromEntries(found.map(({ node, queue }) => [nameOf(node.path), queue.queueUrl]))),
  )
    .grant(
      ['StartMessageMoveTask', 'ListMessageMoveTasks', 'ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes'].map(
        (action) => `sqs:${action}`,
      ),
      found.map(({ deadLetters }) => deadLetters.queueArn),
    )
    .grant(
      ['sqs:GetQueueAttributes', 'sqs:SendMessage'],
      found.map(({ queue }) => queue.queueArn),
    );
}

/** `payin-offramp-prod-service/Deliveries/Events/DeadLetters` becomes Deliveries/Events. */
function nameOf(path: string): string {
  return path.replace(/^[^/]+\//, '').replace(/\/DeadLetters$/, '');
}
