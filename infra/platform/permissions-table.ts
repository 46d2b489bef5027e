import * as z from 'zod/mini';

const statement = z.object({
  Effect: z.string(),
  Action: z.union([z.string(), z.array(z.string())]),
  Resource: z.unknown(),
  Condition: z.optional(z.unknown()),
});
const role = z.object({
  Policies: z._default(z.array(z.object({ PolicyDocument: z.object({ Statement: z.array(statement) }) })), []),
});
const lambda = z.object({
  Description: z.string(),
  Role: z.object({ 'Fn::GetAtt': z.tuple([z.string(), z.string()]) }),
});
const template = z.object({
  Resources: z.record(z.string(), z.object({ Type: z.string(), Properties: z.optional(z.unknown()) })),
});

/** One action on one resource; `on` is the template's text for the resource, which contains its logical id. */
interface Allowed {
  readonly action: string;
  readonly on: string;
  readonly condition: string;
}

interface Power {
  readonly says: string;
  /** True if whoever controls the function can act for others with this, or move money. */
  readonly isGrave: boolean;
}

const VERBS = { PutItem: 'make', UpdateItem: 'change', DeleteItem: 'delete' } as const;

/** The items of a table, in words. Items that only record how far some work has come are not grave. */
const NOUNS: Readonly<Record<string, { readonly noun: string; readonly isGrave: boolean }>> = {
  clients: { noun: 'clients, with their secrets and approval', isGrave: true },
  users: { noun: 'users', isGrave: true },
  wallets: { noun: 'wallets', isGrave: true },
  operations: { noun: 'off-ramps', isGrave: true },
  hashes: { noun: 'claims on hashes', isGrave: true },
  deposits: { noun: 'deposits', isGrave: true },
  payins: { noun: 'pay-ins', isGrave: true },
  events: { noun: 'events, which are published as those of this service', isGrave: true },
  webhooks: { noun: 'webhooks', isGrave: true },
  parameters: { noun: 'banks and tokens', isGrave: true },
  proposals: { noun: 'proposals of any operator', isGrave: true },
};

/** Powers other than on tables; the first match counts. Reading is no power. */
const OTHERS: readonly (readonly [action: RegExp, on: RegExp, says: (on: string, condition: string) => string])[] = [
  [/^kms:Sign$/, /AccessTokenKey/, () => 'sign access tokens of any client'],
  [/^kms:Decrypt$/, /WebhookSecretsKey/, () => 'read the secrets of all webhooks'],
  [/^events:PutEvents$/, /./, (_, condition) => `publish any event as ${sourcesIn(condition)}`],
  [/^states:StartExecution$/, /./, () => 'start verifications'],
  [/^secretsmanager:GetSecretValue$/, /CanarySecret/, () => 'act as the client of the canary'],
  [/^apigateway:POST$/, /./, () => 'make keys of clients'],
];

/** Harmless without another power: traces, logs, its own queue and place in a network, encrypting and verifying. */
const HARMLESS =
  /^(?:xray|logs|ec2):|^dynamodb:(?:GetItem|BatchGetItem|Query|ConditionCheckItem|ListStreams|DescribeStream|GetRecords|GetShardIterator)$|^sqs:(?:ReceiveMessage|ChangeMessageVisibility|GetQueueUrl|DeleteMessage|GetQueueAttributes|StartMessageMoveTask|ListMessageMoveTasks)$|^kms:(?:GetPublicKey|Encrypt)$/;

/**
 * What an attacker who controls one function of these stacks could do, as a Markdown table: what its role may write,
 * sign and send. Functions with the same powers share a row; those that can only read are left out.
 *
 * @throws when a role may do something that has no words here
 */
export function permissionsTable(stacks: readonly unknown[]): string {
  const Resources = Object.fromEntries(stacks.flatMap((stack) => Object.entries(template.parse(stack).Resources)));
  const functions = Object.values(Resources)
    .filter(({ Type }) => Type === 'AWS::Lambda::Function')
    .map(({ Properties }) => lambda.parse(Properties));
  const rows = new Map<string, { names: string[]; powers: readonly Power[] }>();
  for (const { Description, Role } of functions) {
    const powers = powersOf(role.parse(Resources[Role['Fn::GetAtt'][0]]?.Properties));
    const grave = powers.filter(({ isGrave }) => isGrave);
    if (grave.length === 0) continue;
    const key = grave.map(({ says }) => says).join('; ');
    const row = rows.get(key) ?? { names: [], powers: grave };
    row.names.push(/^\S+ [^/ ]+\/(\S+)\. /.exec(Description)?.[1] ?? Description);
    rows.set(key, row);
  }
  const lines = [...rows]
    .toSorted(
      ([one, { powers }], [other, { powers: others }]) => others.length - powers.length || (one < other ? -1 : 1),
    )
    .map(
      ([says, { names }]) =>
        `| ${names
          .toSorted()
          .map((name) => `\`${name}\``)
          .join(', ')} | ${says} |`,
    );
  return ['| Function | What its role may write, sign and send |', '| --- | --- |', ...lines].join('\n');
}

function powersOf({ Policies }: z.infer<typeof role>): readonly Power[] {
  const allowed = Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement).flatMap(
    ({ Effect, Action, Resource, Condition }): Allowed[] =>
      Effect !== 'Allow'
        ? []
        : [Action]
            .flat()
            .flatMap((action) =>
              [Resource]
                .flat()
                .map((on) => ({ action, on: JSON.stringify(on), condition: JSON.stringify(Condition ?? {}) })),
            ),
  );
  const onTables = new Map<string, string[]>();
  const queues: string[] = [];
  const others = new Set<string>();
  for (const one of allowed) {
    if (HARMLESS.test(one.action)) continue;
    const [, table] = /Tables(\w+?)[0-9A-F]{8}/.exec(one.on) ?? [];
    if (table !== undefined) onTables.set(table, [...(onTables.get(table) ?? []), one.action]);
    else if (one.action === 'sqs:SendMessage') queues.push(queueIn(one.on));
    else others.add(inWords(one));
  }
  return [
    ...[...others].map((says) => ({ says, isGrave: true })),
    ...(queues.length === 0 ? [] : [{ says: `put any message into ${queues.join(', ')}`, isGrave: true }]),
    ...[...onTables].map(([table, actions]) => {
      const verbs = Object.entries(VERBS).flatMap(([does, verb]) =>
        actions.includes(`dynamodb:${does}`) ? [verb] : [],
      );
      const { noun = table, isGrave = false } = NOUNS[table] ?? {};
      return { says: `${verbs.join(', ')} ${noun}`, isGrave };
    }),
  ];
}

function inWords({ action, on, condition }: Allowed): string {
  const found = OTHERS.find(([does, where]) => does.test(action) && where.test(on));
  if (found === undefined)
    throw new Error(`There is no description of ${action} on ${on}: add one to permissions-table.ts.`);
  return found[2](on, condition);
}

function sourcesIn(condition: string): string {
  return [...condition.matchAll(/payments\.\w+/g)].map(([source]) => `\`${source}\``).join(' or ');
}

/** The name of a queue, from its logical id or another stack's output: `DeliveriesQueue1A2B3C4D` becomes Deliveries. */
function queueIn(on: string): string {
  return /"(?:PublishOutputFnGetAtt)?(\w+?)Queue[0-9A-F]{8}/.exec(on)?.[1] ?? on;
}
