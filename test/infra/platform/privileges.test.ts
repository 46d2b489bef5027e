import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { endpoints, sandboxEndpoints } from '#infra/api/endpoints.ts';
import { operatorModules } from '#infra/operators/operator-routes.ts';
import type { Endpoint, Permission } from '#infra/platform/route.ts';
import { custodiansOf, railsOf, stageNamed } from '#infra/stage/stages.ts';
import type { TableUse } from '#infra/stage/table-shapes.ts';
import type { CustodianName } from '#shared/off-ramps/custodians/custodians.ts';
import type { RailName } from '#shared/pay-ins/rails/payment-rails.ts';
import { mapValues } from '#shared/platform/collections.ts';
import type { Contract } from '#shared/platform/http/contract.ts';
import {
  calledArnOf,
  functionsOf,
  type Grant,
  grantsOf,
  type StageName,
  stageNames,
  synthesise,
} from '#test/support/synthesised.ts';

/** A permission of a function, as `action resource`. */
type Allowance = string;

const startVerifications: readonly Allowance[] = ['states:StartExecution <Verification/DepositVerification>'];
const receiveFrom = (queue: string): readonly Allowance[] =>
  ['ReceiveMessage', 'ChangeMessageVisibility', 'GetQueueUrl', 'DeleteMessage', 'GetQueueAttributes'].map(
    (action) => `sqs:${action} <${queue}/Queue.Arn>`,
  );
const putEvents: readonly Allowance[] = ['events:PutEvents <EventBus.Arn>'];
const sendRetries: readonly Allowance[] = ['sqs:SendMessage <Deliveries/Retries/Queue.Arn>'];
const sendReplays: readonly Allowance[] = ['sqs:SendMessage <Deliveries/Replays/Queue.Arn>'];
const sendFirst: readonly Allowance[] = ['sqs:SendMessage <Deliveries/FirstAttempts/Queue.Arn>'];
const workQueuesOf = (stageName: StageName): readonly string[] => [
  'Detection/NotifiedTransfers',
  'StatusChanges/Told',
  'ClientStatusChanges/Results',
  'Deliveries/Events',
  'Deliveries/FirstAttempts',
  'Deliveries/Retries',
  'Deliveries/Replays',
  ...(stageNamed(stageName).hasSandbox ? ['SimulatedPayouts/Verified'] : []),
];
const lookAtDeadLetters = (stageName: StageName): readonly Allowance[] =>
  [...workQueuesOf(stageName).map((queue) => `${queue}/DeadLetters`), 'Publication/Unhandled'].flatMap((queue) =>
    // A message that is received stays in its queue.
    ['GetQueueAttributes', 'ReceiveMessage'].map((action) => `sqs:${action} <${queue}/Queue.Arn>`),
  );
/** The permissions that SQS needs to move messages. Records of a stream are not moved: a sweep does their work. */
const moveDeadLetters = (stageName: StageName): readonly Allowance[] =>
  workQueuesOf(stageName).flatMap((queue) => [
    ...['StartMessageMoveTask', 'ListMessageMoveTasks', 'ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes'].map(
      (action) => `sqs:${action} <${queue}/DeadLetters/Queue.Arn>`,
    ),
    `sqs:GetQueueAttributes <${queue}/Queue.Arn>`,
    `sqs:SendMessage <${queue}/Queue.Arn>`,
  ]);
/** The ARNs of API Gateway's own resources have no account. */
const makeClientKeys = (stageName: StageName): readonly Allowance[] =>
  stageNamed(stageName).perClient === undefined
    ? []
    : ['/apikeys', '/usageplans/<Clients/PerClient>/keys'].map(
        (path) => `apigateway:POST arn:<AWS::Partition>:apigateway:<AWS::Region>::${path}`,
      );
const sendNotifiedTransfers: readonly Allowance[] = ['sqs:SendMessage <Detection/NotifiedTransfers/Queue.Arn>'];

/** The table actions that a look-up by each adapter takes, written out here rather than read from the adapter. */
const findTransfers: Readonly<Record<CustodianName, TableUse>> = {
  simulated: { simulatedTransactions: ['GetItem'] },
  evm: { hashes: ['BatchGetItem'], providerLimits: ['UpdateItem'] },
  fireblocks: { providerLimits: ['GetItem', 'UpdateItem', 'DeleteItem'] },
};
const findOutgoing: Readonly<Record<CustodianName, TableUse>> = {
  simulated: { simulatedTransactions: ['GetItem'] },
  evm: {},
  fireblocks: { providerLimits: ['GetItem', 'UpdateItem', 'DeleteItem'] },
};
const findPayments: Readonly<Record<RailName, TableUse>> = {
  simulated: { simulatedPayments: ['GetItem'] },
  wompi: {},
};
const assignAddresses: Readonly<Record<CustodianName, TableUse>> = {
  simulated: {},
  evm: {},
  fireblocks: { addressPool: ['GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'] },
};
const listMovements: Readonly<Record<CustodianName, TableUse>> = {
  simulated: { simulatedTransactions: ['Query:byCreation', 'BatchGetItem', 'GetItem'] },
  evm: {},
  fireblocks: { providerLimits: ['GetItem', 'UpdateItem', 'DeleteItem'] },
};
const listPayments: Readonly<Record<RailName, TableUse>> = {
  simulated: { simulatedPayments: ['Query:byDay', 'BatchGetItem'] },
  wompi: {},
};
const orderPayments: Readonly<Record<RailName, TableUse>> = {
  simulated: { simulatedPayments: ['GetItem', 'PutItem'] },
  wompi: {},
};
const verifyCustodian: Readonly<Record<CustodianName, readonly Allowance[]>> = {
  simulated: ['kms:GetPublicKey <SimulatedCustodianKey.Arn>'],
  evm: [],
  fireblocks: [],
};
const verifyRail: Readonly<Record<RailName, readonly Allowance[]>> = {
  simulated: ['kms:GetPublicKey <SimulatedRailKey.Arn>'],
  wompi: [],
};

function allowedByPermission(stageName: StageName): Record<Permission, readonly Allowance[]> {
  const stage = stageNamed(stageName);
  const ofRails = (needs: Readonly<Record<RailName, readonly Allowance[]>>) =>
    railsOf(stage).flatMap(({ name }) => needs[name]);
  return {
    'sign access tokens': ['kms:Sign <AccessTokenKey.Arn>'],
    'verify custodian notifications': custodiansOf(stage).flatMap(({ name }) => verifyCustodian[name]),
    'sign custodian notifications': ['kms:Sign <SimulatedCustodianKey.Arn>'],
    'verify rail notifications': ofRails(verifyRail),
    'sign rail notifications': ['kms:Sign <SimulatedRailKey.Arn>'],
    'find transfers': custodiansOf(stage).flatMap(({ name }) => allowedByTables(findTransfers[name])),
    'find what left': custodiansOf(stage).flatMap(({ name }) => allowedByTables(findOutgoing[name])),
    'list movements': custodiansOf(stage).flatMap(({ name }) => allowedByTables(listMovements[name])),
    'assign deposit addresses': custodiansOf(stage).flatMap(({ name }) => allowedByTables(assignAddresses[name])),
    'find payments': ofRails(mapValues(findPayments, allowedByTables)),
    'order payments': ofRails(mapValues(orderPayments, allowedByTables)),
    'start verifications': startVerifications,
    'queue notified transfers': sendNotifiedTransfers,
    'put events on the bus': putEvents,
    'put events of compliance on the bus': putEvents,
    'make keys of clients': makeClientKeys(stageName),
    'encrypt webhook secrets': ['kms:Encrypt <WebhookSecretsKey.Arn>'],
    'decrypt webhook secrets': ['kms:Decrypt <WebhookSecretsKey.Arn>'],
    'queue deliveries': sendRetries,
    'queue replays': sendReplays,
  };
}

interface Worker {
  readonly tables: TableUse;
  readonly others: readonly Allowance[];
}

/** The functions that serve no route, written out so that what they may do has to be widened here too. */
function workersOf(stageName: StageName): Readonly<Record<string, Worker>> {
  return {
    'operate-clients': {
      tables: {
        audit: ['PutItem'],
        clients: ['PutItem', 'GetItem', 'UpdateItem'],
        users: ['PutItem', 'GetItem', 'UpdateItem'],
        wallets: ['PutItem', 'DeleteItem'],
      },
      others: [...putEvents, ...makeClientKeys(stageName)],
    },
    'operate-off-ramps': {
      tables: {
        audit: ['PutItem'],
        operations: ['GetItem', 'PutItem', 'UpdateItem', 'ConditionCheckItem', 'Query:awaiting', 'BatchGetItem'],
        hashes: ['GetItem', 'PutItem', 'DeleteItem'],
        deposits: ['GetItem', 'PutItem', 'UpdateItem'],
        events: ['GetItem', 'PutItem', 'Query'],
        clients: ['Query:byName'],
        proposals: ['PutItem', 'GetItem', 'UpdateItem'],
        ...findOutgoing.simulated,
      },
      others: [],
    },
    'operate-pay-ins': {
      tables: {
        audit: ['PutItem'],
        payins: ['GetItem', 'PutItem', 'UpdateItem'],
        events: ['PutItem', 'Query'],
        proposals: ['PutItem', 'GetItem', 'UpdateItem'],
      },
      others: [],
    },
    'operate-parameters': { tables: { audit: ['PutItem'], parameters: ['UpdateItem'] }, others: [] },
    'operate-webhooks': {
      tables: {
        audit: ['PutItem'],
        webhooks: ['GetItem', 'UpdateItem'],
        webhookHealth: ['GetItem', 'PutItem'],
        deliveries: ['GetItem', 'UpdateItem'],
      },
      others: [...sendRetries, ...sendReplays],
    },
    // A function of its own, because it can put any message into a work queue.
    'redrive-dead-letters': { tables: { audit: ['PutItem'] }, others: moveDeadLetters(stageName) },
    'look-up-clients': {
      tables: {
        clients: ['GetItem', 'Query:byName', 'BatchGetItem'],
        users: ['GetItem', 'Query:byClient', 'BatchGetItem'],
        wallets: ['Query'],
        audit: ['BatchGetItem', 'Query:about'],
      },
      others: [],
    },
    'look-up-off-ramps': {
      tables: {
        clients: ['GetItem', 'Query:byName', 'BatchGetItem'],
        operations: [
          ...(['GetItem', 'BatchGetItem', 'Query', 'Query:awaiting', 'Query:credited'] as const),
          ...(['Query:pending', 'Query:contradicted'] as const),
        ],
        hashes: ['BatchGetItem'],
        deposits: [
          ...(['GetItem', 'BatchGetItem', 'Query:byOperation', 'Query:byHash'] as const),
          ...(['Query:unmatched', 'Query:owed', 'Query:returns'] as const),
        ],
        audit: ['BatchGetItem', 'Query:about'],
        proposals: ['BatchGetItem', 'Query:open'],
      },
      others: [],
    },
    'look-up-pay-ins': {
      tables: {
        clients: ['BatchGetItem'],
        payins: ['GetItem', 'BatchGetItem', 'Query:mismatched', 'Query:completed'],
        proposals: ['BatchGetItem', 'Query:open'],
      },
      others: [],
    },
    'look-up-parameters': {
      tables: { parameters: ['GetItem', 'Query'], audit: ['BatchGetItem', 'Query:about'] },
      others: [],
    },
    'look-up-webhooks': {
      tables: {
        clients: ['GetItem', 'BatchGetItem'],
        webhooks: ['Query', 'GetItem'],
        webhookHealth: ['BatchGetItem', 'Query:failing'],
        deliveries: ['BatchGetItem', 'GetItem', 'Query:byWebhook'],
        audit: ['BatchGetItem', 'Query:about'],
      },
      others: [],
    },
    'look-up': {
      tables: {
        clients: ['GetItem', 'BatchGetItem', 'Query:byName'],
        operations: ['BatchGetItem', 'Query', 'Query:byUser', 'Query:byReference', 'Query:anyReference'],
        hashes: ['GetItem', 'BatchGetItem'],
        deposits: ['BatchGetItem', 'Query:byOperation', 'Query:byHash', 'Query:unreadable'],
        payins: ['GetItem', 'BatchGetItem', 'Query:unreadable', 'Query:anyReference'],
        events: ['Query', 'Query:unpublished', 'Query:byClient', 'BatchGetItem'],
        webhooks: ['Query'],
        webhookHealth: ['BatchGetItem'],
        deliveries: ['BatchGetItem'],
        audit: ['BatchGetItem', 'Query:about', 'Query:byPerson', 'Query:byDay'],
        proposals: ['GetItem', 'Query:open', 'BatchGetItem'],
      },
      others: lookAtDeadLetters(stageName),
    },
    'erase-user': {
      tables: {
        audit: ['PutItem'],
        users: ['GetItem', 'UpdateItem'],
        wallets: ['Query', 'UpdateItem'],
        operations: ['Query:byUser', 'BatchGetItem', 'UpdateItem'],
        deposits: ['Query:byOperation', 'BatchGetItem'],
        payins: ['Query:byUser', 'BatchGetItem', 'UpdateItem'],
      },
      others: [],
    },
    'export-user': {
      tables: {
        users: ['GetItem'],
        wallets: ['Query'],
        operations: ['Query:byUser', 'BatchGetItem'],
        deposits: ['Query:byOperation', 'BatchGetItem'],
        payins: ['Query:byUser', 'BatchGetItem'],
      },
      others: [],
    },
    'operate-books': {
      tables: {
        audit: ['PutItem'],
        books: ['Query', 'UpdateItem', 'GetItem', 'PutItem'],
        proposals: ['PutItem', 'GetItem', 'UpdateItem'],
      },
      others: [],
    },
    'look-up-books': {
      tables: {
        books: ['Query', 'GetItem'],
        deposits: ['Query:byDay', 'BatchGetItem'],
        ...listMovements.simulated,
      },
      others: [],
    },
    'balance-deposits': {
      tables: {
        books: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem'],
        deposits: ['Query:byDay', 'Query:returns', 'BatchGetItem', 'UpdateItem'],
        hashes: ['BatchGetItem'],
        ...listMovements.simulated,
      },
      others: sendNotifiedTransfers,
    },
    'balance-payments': {
      tables: {
        books: ['GetItem', 'Query', 'PutItem', 'UpdateItem'],
        payins: ['BatchGetItem'],
        ...listPayments.simulated,
      },
      others: [],
    },
    // The indexes alone: it reads no item.
    'measure-ages': {
      tables: {
        events: ['Query:unpublished'],
        deposits: ['Query:due', 'Query:owed', 'Query:unmatched', 'Query:returns'],
        payins: ['Query:due', 'Query:mismatched'],
        operations: ['Query:due', 'Query:awaiting', 'Query:pending', 'Query:contradicted'],
        deliveries: ['Query:due'],
        clients: ['Query:byName'],
      },
      others: [],
    },
    'authorize-request': { tables: {}, others: ['kms:GetPublicKey <AccessTokenKey.Arn>'] },
    'reconcile-payments': {
      tables: { payins: ['GetItem', 'BatchGetItem', 'UpdateItem'], ...listPayments.simulated },
      others: [],
    },
    'settle-open-payins': {
      tables: {
        payins: ['GetItem', 'Query:due', 'UpdateItem'],
        events: ['PutItem', 'Query'],
        clients: ['Query:byName'],
        ...findPayments.simulated,
      },
      others: [],
    },
    'load-parameters': { tables: { parameters: ['Query', 'UpdateItem', 'DeleteItem'] }, others: [] },
    'check-deposit': {
      tables: {
        operations: ['GetItem', 'Query', 'UpdateItem'],
        events: ['PutItem', 'Query'],
        hashes: ['GetItem', 'PutItem', 'DeleteItem'],
        deposits: ['GetItem', 'PutItem', 'UpdateItem'],
        ...findTransfers.simulated,
      },
      others: [],
    },
    'match-deposit': {
      tables: {
        operations: ['GetItem', 'UpdateItem'],
        events: ['PutItem', 'Query'],
        hashes: ['GetItem', 'PutItem', 'DeleteItem'],
        deposits: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'Query:byOperation'],
        ...findTransfers.simulated,
      },
      others: [...sendNotifiedTransfers, ...receiveFrom('Detection/NotifiedTransfers')],
    },
    'send-returns': {
      tables: {
        deposits: ['GetItem', 'UpdateItem', 'Query:returns'],
        operations: ['GetItem', 'ConditionCheckItem'],
        hashes: ['PutItem'],
        events: ['PutItem', 'Query'],
        // In production no simulated custodian sends anything.
        ...(stageName !== 'prod' && { simulatedTransactions: ['GetItem', 'PutItem'] as const }),
      },
      others: [],
    },
    'end-expired-operations': {
      tables: {
        operations: ['Query', 'Query:awaiting', 'UpdateItem'],
        events: ['PutItem', 'Query'],
        hashes: ['DeleteItem'],
        deposits: ['GetItem', 'PutItem', 'UpdateItem', 'Query:arriving'],
        clients: ['Query:byName'],
        ...findTransfers.simulated,
      },
      others: [],
    },
    'reconcile-custodian': {
      tables: {
        deposits: ['GetItem', 'PutItem', 'UpdateItem'],
        simulatedTransactions: ['Query:byCreation', 'BatchGetItem'],
      },
      others: sendNotifiedTransfers,
    },
    'release-due-deposits': {
      tables: { deposits: ['Query:due', 'UpdateItem'], clients: ['Query:byName'] },
      others: sendNotifiedTransfers,
    },
    'publish-status-changes': {
      tables: { events: ['UpdateItem'] },
      others: [
        ...putEvents,
        'dynamodb:ListStreams <Tables/events.StreamArn>',
        'dynamodb:DescribeStream <Tables/events.StreamArn>',
        'dynamodb:GetRecords <Tables/events.StreamArn>',
        'dynamodb:GetShardIterator <Tables/events.StreamArn>',
        'sqs:SendMessage <Publication/Unhandled/Queue.Arn>',
        'sqs:GetQueueAttributes <Publication/Unhandled/Queue.Arn>',
        'sqs:GetQueueUrl <Publication/Unhandled/Queue.Arn>',
      ],
    },
    'publish-overdue-changes': {
      tables: { events: ['GetItem', 'Query:unpublished', 'UpdateItem'] },
      others: putEvents,
    },
    'fan-out-event': {
      tables: {
        events: ['GetItem', 'PutItem'],
        webhooks: ['Query'],
        webhookHealth: ['GetItem'],
        deliveries: ['PutItem'],
      },
      others: [...sendFirst, ...receiveFrom('Deliveries/Events')],
    },
    'deliver-webhook': {
      tables: {
        deliveries: ['UpdateItem'],
        events: ['GetItem'],
        webhooks: ['GetItem', 'UpdateItem'],
        webhookHealth: ['GetItem', 'PutItem'],
        slots: ['PutItem', 'DeleteItem'],
      },
      others: [
        ...sendFirst,
        ...sendRetries,
        ...receiveFrom('Deliveries/FirstAttempts'),
        ...receiveFrom('Deliveries/Retries'),
        'kms:Decrypt <WebhookSecretsKey.Arn>',
      ],
    },
    'release-due-deliveries': {
      tables: {
        deliveries: ['Query:due', 'UpdateItem'],
        clients: ['Query:byName'],
        webhooks: ['GetItem'],
        webhookHealth: ['GetItem', 'Query:due', 'PutItem'],
      },
      others: [...sendRetries, ...sendReplays],
    },
    'replay-client-events': {
      tables: {
        events: ['GetItem', 'Query:byClient', 'Query:unpublished'],
        webhooks: ['GetItem'],
        deliveries: ['PutItem', 'UpdateItem'],
        slots: ['PutItem', 'DeleteItem'],
      },
      others: [...sendRetries, ...sendReplays, ...receiveFrom('Deliveries/Replays')],
    },
    'apply-status-change': {
      tables: {
        operations: ['GetItem', 'UpdateItem', 'ConditionCheckItem'],
        hashes: ['GetItem', 'DeleteItem'],
        deposits: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'Query:byOperation'],
        events: ['PutItem', 'Query'],
      },
      others: receiveFrom('StatusChanges/Told'),
    },
    'apply-client-status': {
      tables: { clients: ['GetItem', 'UpdateItem'], events: ['PutItem', 'Query'] },
      others: receiveFrom('ClientStatusChanges/Results'),
    },
    'restart-lost-verifications': {
      tables: { operations: ['Query', 'Query:due', 'UpdateItem'], clients: ['Query:byName'] },
      others: startVerifications,
    },
    'call-as-client': {
      tables: {},
      others: [...readCanarySecret, ...(stageName === 'prod' ? placeInNetwork : [])],
    },
    ...(stageName === 'prod' ? {} : sandboxWorkers),
  };
}

/** Only the secret of the canary's own client: the canary calls the service from outside. */
const readCanarySecret: readonly Allowance[] = ['secretsmanager:GetSecretValue <Canary/Secret.Id>'];

/** Actions that Lambda takes with the function's role; a denial keeps the function's code from taking them. */
const placeInNetwork: readonly Allowance[] = [
  ...['CreateNetworkInterface', 'DescribeNetworkInterfaces', 'DeleteNetworkInterface'],
  ...['DescribeSubnets', 'AssignPrivateIpAddresses', 'UnassignPrivateIpAddresses'],
].map((action) => `ec2:${action} *`);

const sandboxWorkers: Readonly<Record<string, Worker>> = {
  'take-off-ramp': { tables: {}, others: readCanarySecret },
  'simulate-payout': {
    tables: { operations: ['GetItem'], simulatedPayments: ['GetItem'] },
    others: [...putEvents, ...receiveFrom('SimulatedPayouts/Verified')],
  },
};

function served(stageName: StageName): readonly Endpoint[] {
  return stageName === 'prod' ? endpoints : [...endpoints, ...sandboxEndpoints];
}

function declaredFor(stageName: StageName): ReadonlyMap<string, readonly Allowance[]> {
  const byPermission = allowedByPermission(stageName);
  const ofRoutes = served(stageName).map(({ contract, tables, permissions = [] }): [string, Worker] => [
    contract.name,
    { tables, others: permissions.flatMap((permission) => byPermission[permission]) },
  ]);
  return new Map(
    [...ofRoutes, ...Object.entries(workersOf(stageName))].map(([name, { tables, others }]) => [
      name,
      [...allowedByTables(tables), ...others],
    ]),
  );
}

/** The actions on the tables, and `Query` on each index that is named. */
function allowedByTables(use: TableUse): readonly Allowance[] {
  return Object.entries(use).flatMap(([name, actions]) =>
    actions.map((action) => {
      const [verb, index] = action.split(':');
      return `dynamodb:${verb} <Tables/${name}.Arn>${index === undefined ? '' : `/index/${index}`}`;
    }),
  );
}

/** Permissions of every function: its log and traces. */
const always = (log: string): readonly Allowance[] => [
  `logs:CreateLogStream <${log}.Arn>`,
  `logs:PutLogEvents <${log}.Arn>`,
  'xray:PutTraceSegments *',
  'xray:PutTelemetryRecords *',
];

const allowance = ({ action, resource }: Grant): Allowance => `${action} ${resource}`;
const tableOf = (resource: string) => /^<Tables\/(\w+)\.Arn>/.exec(resource)?.[1];

describe.each(stageNames)('least privilege in %s', (stageName) => {
  const service = synthesise(stageName);
  const functions = functionsOf(service);
  const grants = grantsOf(service);
  const declared = declaredFor(stageName);
  const roleOf = (path: string) => path.replace(/\/Function$/, '/Role');
  const granted = (path: string) => grants.filter(({ role }) => role === roleOf(path));
  const usesOf = (table: string) =>
    functions.flatMap(({ name, path }) =>
      granted(path)
        .filter(({ resource }) => tableOf(resource) === table)
        .map(({ action }) => `${name} ${action}`),
    );

  test('every function is declared here, and every declared function exists', () => {
    expect(functions.map(({ name }) => name).sort()).toEqual([...declared.keys()].sort());
  });

  test.each(functions)('$name may do what is declared for it, and nothing else', ({ name, path }) => {
    const servesRoute = [...endpoints, ...sandboxEndpoints].some(({ contract }) => contract.name === name);
    const isOperators = operatorModules.some(({ looksUp, changes }) =>
      [looksUp, changes].some((folder) => folder.endsWith(`/${name}`)),
    );
    const own = isOperators ? 'OperatorsLog' : path.replace(/\/Function$/, '/Logs');
    const log = servesRoute ? 'RoutesLog' : own;
    const expected = [...always(log), ...(declared.get(name) ?? [])];
    expect(granted(path).map(allowance).sort()).toEqual(expected.sort());
  });

  test('every function has a role of its own', () => {
    const roles = functions.map(({ properties }) => service.text(properties.Role));
    expect(roles).toEqual(functions.map(({ path }) => `<${roleOf(path)}.Arn>`));
    expect(new Set(roles).size).toBe(functions.length);
  });

  test('roles are allowed nothing outside these policies, except by the policy of AWS itself for the logs of API Gateway', () => {
    const roles = service.ofType('AWS::IAM::Role', z.record(z.string(), z.unknown()));
    const beyond = roles.flatMap(({ path, properties: { AssumeRolePolicyDocument: _, ...others } }) =>
      Object.entries(others)
        .filter(([property]) => !['Policies', 'Tags', 'RoleName'].includes(property))
        .map(([property, value]) => [path, property, [value].flat().map(service.text)]),
    );
    const pushLogs = 'arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs';
    expect(beyond).toEqual([['ApiLogging/Role', 'ManagedPolicyArns', [pushLogs]]]);
    expect(service.resources.filter(({ type }) => /ManagedPolicy|RolePolicy|UserPolicy|IAM::User/.test(type))).toEqual(
      [],
    );
  });

  test('no action has a wildcard, and nobody may scan a table', () => {
    const actions = grants.map(({ action }) => action);
    expect(actions.filter((action) => action.includes('*'))).toEqual([]);
    expect(actions.filter((action) => /scan|partiql|batchwrite|export/i.test(action))).toEqual([]);
  });

  test('no resource of a function is a wildcard, except for X-Ray and the network of the canary', () => {
    const ofFunctions = functions.flatMap(({ path }) => granted(path));
    const wild = ofFunctions.filter(({ resource }) => resource.includes('*')).map(allowance);
    expect([...new Set(wild)].sort()).toEqual(
      [
        ...['xray:PutTelemetryRecords *', 'xray:PutTraceSegments *'],
        ...(stageName === 'prod' ? placeInNetwork : []),
      ].sort(),
    );
  });

  test('the state machine may call check-deposit, log and trace, and nothing else', () => {
    const role = 'Verification/DepositVerification/Role';
    const others = grants.filter((grant) => grant.role === role && !/^(logs|xray):/.test(grant.action));
    const called = calledArnOf(service, 'Verification/check-deposit/Function');
    const resources = stageName === 'local' ? [called, `${called}:*`] : [called];
    expect(others.map(allowance)).toEqual(resources.map((resource) => `lambda:InvokeFunction ${resource}`));
    const movers = grants.flatMap((grant) => (/\/Live\/Role$/.test(grant.role) ? grant.role : []));
    expect(new Set(grants.map((grant) => grant.role))).toEqual(
      new Set([
        role,
        'Clients/Invoker',
        'Providers/Invoker',
        'Operators/Invoker',
        ...movers,
        ...(stageName === 'local' ? [] : ['KeyEndings/EventsRole']),
        ...functions.map(({ path }) => roleOf(path)),
      ]),
    );
  });

  test('a function that serves a read can write nothing', () => {
    const reads = endpoints.filter(({ contract }) => contract.method === 'GET').map(({ contract }) => contract.name);
    expect(reads).toContain('get-offramp-hash');
    const actions = functions.filter(({ name }) => reads.includes(name)).flatMap(({ path }) => granted(path));
    const beyondReading = actions.filter(
      ({ action }) => !/^(logs|xray):|^dynamodb:(GetItem|BatchGetItem|Query)$/.test(action),
    );
    expect(beyondReading.map(allowance)).toEqual([]);
  });

  test.each([
    [
      'custodian',
      'simulatedTransactions',
      [
        'balance-deposits',
        'cancel-operation',
        'check-deposit',
        'end-expired-operations',
        'look-up-books',
        'match-deposit',
        'operate-off-ramps',
        'receive-custodian-notification',
        'reconcile-custodian',
      ],
      // Functions that make the custodian send; in production it sends nothing.
      ['simulate-deposit', 'simulate-return', 'send-returns'],
    ],
    [
      'rail',
      'simulatedPayments',
      ['balance-payments', 'create-payin', 'receive-rail-notification', 'reconcile-payments', 'settle-open-payins'],
      ['simulate-payout', 'simulate-operation', 'simulate-payin'],
    ],
  ] as const)(
    'only functions that simulate or call the simulated %s reach its table %s',
    (partner, table, asking, simulating) => {
      const reaching = functions.filter(({ path, environment }) => {
        const names = JSON.stringify(environment).includes(table);
        return names || granted(path).some(({ resource }) => tableOf(resource) === table);
      });
      const stage = stageNamed(stageName);
      const providers = partner === 'rail' ? railsOf(stage) : custodiansOf(stage);
      const asked = providers.some(({ isSimulated }) => isSimulated) ? asking : [];
      expect(reaching.map(({ name }) => name).sort()).toEqual(
        [...asked, ...(stage.hasSandbox ? simulating : [])].sort(),
      );
    },
  );

  test('every route behind the guard of approved clients may read clients', () => {
    const approved = (contracts: readonly Contract[]) => contracts.some(({ access }) => access === 'approved-client');
    const guarded = served(stageName).filter(({ contract, alsoServes = [] }) => approved([contract, ...alsoServes]));
    const ofGuard = guarded.map(({ contract }) => `${contract.name} dynamodb:GetItem`);
    expect(ofGuard.length).toBeGreaterThan(10);
    expect(usesOf('clients')).toEqual(expect.arrayContaining(ofGuard));
  });

  test('only routes that honour Idempotency-Key write its records', () => {
    const idempotent = served(stageName).flatMap(({ contract }) => (contract.idempotent ? [contract.name] : []));
    expect(idempotent).toContain('create-payin');
    const expected = idempotent.flatMap((name) => [`${name} dynamodb:DeleteItem`, `${name} dynamodb:UpdateItem`]);
    expect(usesOf('idempotency').sort()).toEqual(expected.sort());
  });

  test('decisions 10, costly calls: only functions that make costly calls, or issue tokens, count them', () => {
    const counting = ['create-payin', 'create-withdrawal', 'replay-events', 'submit-offramp-hash'];
    expect(usesOf('allowances').sort()).toEqual(
      [...counting, 'issue-token'].sort().map((name) => `${name} dynamodb:UpdateItem`),
    );
    const mostPerDay = functions.flatMap(({ name, environment }) => {
      const most = environment['MOST_PER_DAY'];
      return most === undefined ? [] : [[name, JSON.parse(String(most))] as const];
    });
    const [offRamps, payIns, reports] = stageName === 'staging' ? [10_000, 10_000, 15_000] : [20_000, 20_000, 30_000];
    expect(Object.fromEntries(mostPerDay)).toEqual({
      'create-withdrawal': offRamps,
      'create-payin': payIns,
      'submit-offramp-hash': reports,
      // The limits that operators set for a client may not exceed these.
      'operate-clients': { offRamps, payIns, reports },
    });
  });

  test('decisions 11, audit: only functions of operators reach the audit', () => {
    const ofOperators = operatorModules.flatMap(({ looksUp, changes }) => [basename(looksUp), basename(changes)]);
    const reaching = usesOf('audit').map((use) => use.split(' ')[0] ?? '');
    expect(reaching.filter((name) => !ofOperators.includes(name))).toEqual([]);
    expect(reaching).not.toEqual([]);
  });

  test('decisions 11, who: the look-ups of operators can change nothing', () => {
    const roles = operatorModules.map(({ looksUp }) => `${basename(looksUp)}/Role`);
    const looking = grants.filter(({ role }) => roles.includes(role)).map(({ action }) => action);
    expect(looking.length).toBeGreaterThan(30);
    // AWS counts ReceiveMessage as a read: a message stays until it is deleted.
    const reading = /^(dynamodb:(GetItem|BatchGetItem|Query)|sqs:(GetQueueAttributes|ReceiveMessage)|xray:|logs:)/;
    const changing = looking.filter((action) => !reading.test(action));
    expect(changing).toEqual([]);
  });

  test('only the publisher, operators and, outside prod, the simulations may put events on the bus', () => {
    const putting = grants.filter(({ action }) => action === 'events:PutEvents').map(({ role }) => role);
    const publishing = ['Publication/publish-overdue-changes/Role', 'Publication/publish-status-changes/Role'];
    const sandbox = ['SimulatedPayouts/simulate-payout/Role', 'simulate-client/Role', 'simulate-operation/Role'];
    const others = stageName === 'prod' ? [] : sandbox;
    expect(putting.sort()).toEqual([...publishing, ...others, 'operate-clients/Role'].sort());
  });

  test.each(functions)(
    '$name reaches the tables that it names in its environment, and no other',
    ({ path, environment }) => {
      const named = Object.entries(environment).filter(([setting]) => setting.endsWith('_TABLE'));
      const reached = granted(path).flatMap(({ resource }) => tableOf(resource) ?? []);
      expect([...new Set(reached)].map((table) => `<Tables/${table}>`).sort()).toEqual(
        named.map(([, table]) => service.text(table)).sort(),
      );
    },
  );
});
