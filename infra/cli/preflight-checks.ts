import { remainingExamples } from '#infra/stage/read-settings.ts';
import type { Settings } from '#infra/stage/settings.ts';
import { nameBeforeRestore } from './restore-tables.ts';

/** Questions about the account to which a stage is going to be deployed. Each rejects when it has no answer. */
export interface Account {
  /** The account of the credentials. */
  readonly id: () => Promise<string>;
  /** The version of the bootstrapping. */
  readonly bootstrapVersion: () => Promise<number>;
  /** The quotas of a service whose names contain this part, by their names. */
  readonly quotas: (service: string, part: string) => Promise<ReadonlyMap<string, number>>;
  readonly certificate: (arn: string) => Promise<ServerCertificate>;
  /** Resolves if the object exists in this version. @throws when it does not, or may not be read */
  readonly trustStore: (bucket: string, key: string, version: string) => Promise<void>;
  /** The number of a topic's confirmed subscriptions, the key that encrypts it, and its policy as JSON. */
  readonly topic: (
    arn: string,
  ) => Promise<{ readonly confirmed: number; readonly key: string | undefined; readonly policy: string }>;
  /** The gateway to which a subnet sends traffic for the internet. @throws when the subnet does not exist */
  readonly defaultRoute: (subnet: string) => Promise<string | undefined>;
  /** Why the canary cannot call through its security group. @throws when the group does not exist */
  readonly securityGroupFault: (canary: NonNullable<Settings['canary']>) => Promise<string | undefined>;
  /** The ARN of a role by its name. @throws when the role does not exist */
  readonly roleArn: (name: string) => Promise<string>;
  /** ARNs of the trails of CloudTrail that log the end of a key. */
  readonly trails: () => Promise<readonly string[]>;
  /** Names of the tables that the stage has now; none before its first deployment. */
  readonly tablesInUse: () => Promise<readonly string[]>;
  /** `ACTIVE`, or the other status of a table or of one of its indexes. @throws when the table does not exist */
  readonly table: (name: string) => Promise<string>;
}

interface ServerCertificate {
  /** `ISSUED`, or why it is not. */
  readonly status: string;
  /** `AMAZON_ISSUED`, or any other origin. */
  readonly type: string;
  /** The hosts of the certificate, as `*.example.com`. */
  readonly names: readonly string[];
}

export interface Line {
  /** A row of docs/on-aws.md, Before the first deployment. */
  readonly what: string;
  /** Why the requirement is not met; undefined if it is met. */
  readonly fault?: string;
  /** What was found. */
  readonly found?: string;
}

/** The oldest bootstrapping that can deploy the templates, as the assembly says. */
const BOOTSTRAP_VERSION = 6;

/** Concurrent executions that Lambda keeps for functions that reserve none. */
const UNRESERVED = 100;

/** Characters of an API's policy without the addresses and roles that it names. */
const POLICY_ITSELF = 500;

/** Characters of the longest policy of an API, with its addresses and roles. */
export function longestPolicy(settings: Settings): number {
  const { ipAllowlist = [], operatorRoles = [], breakGlassRole = '', operatorAddresses = [] } = settings;
  const ofOperators = [...operatorRoles, breakGlassRole, ...operatorAddresses];
  return POLICY_ITSELF + Math.max(...[ipAllowlist, ofOperators].map((named) => JSON.stringify(named).length));
}

interface Quota {
  readonly what: string;
  readonly service: string;
  /** A part of the quota's name. */
  readonly part: string;
  readonly least: number | ((settings: Settings) => number);
}

/**
 * The minimum of each quota. Rates and concurrency are those that ten off-ramps a second need (docs/scale.md), with
 * room for bursts. A new account can have less.
 */
const quotas: readonly Quota[] = [
  {
    what: 'Concurrent calls of Lambda',
    service: 'lambda',
    part: 'Concurrent executions',
    least: (settings) => Math.max(1000, reservedConcurrencyOf(settings) + UNRESERVED),
  },
  { what: 'Requests of API Gateway', service: 'apigateway', part: 'Throttle rate', least: 1000 },
  { what: 'The policy of an API', service: 'apigateway', part: 'resource policy size', least: longestPolicy },
  { what: 'Cryptographic operations of KMS', service: 'kms', part: 'Cryptographic operations (ECC', least: 100 },
  { what: 'Starts of executions', service: 'states', part: 'StartExecution', least: 100 },
  { what: 'Transitions of executions', service: 'states', part: 'StateTransition', least: 500 },
];

/** Checks what a stage needs before it is deployed, a line each. */
export async function preflightLines(settings: Settings, account: Account): Promise<readonly Line[]> {
  const { environment, domains, mutualTls, canary, alarmTopics, monthlyBudget, restored, publishers = {} } = settings;
  const lines = [
    line('Settings that are no examples', async () => {
      const examples = remainingExamples(settings);
      return { found: `${examples.length} examples`, ...(examples.length > 0 && { fault: examples.join(', ') }) };
    }),
    line('The account of the settings', async () => {
      if (environment === undefined)
        return {
          fault:
            'name account and region as environment in infra/settings: without it the stage is deployed to the account of the current credentials',
        };
      const id = await account.id();
      const fault = `the credentials are of ${id}, the settings name ${environment.account}`;
      return { found: id, ...(id !== environment.account && { fault }) };
    }),
    line('The account is bootstrapped', async () => {
      const version = await account.bootstrapVersion();
      return atLeast(version, BOOTSTRAP_VERSION, 'bootstrap it again');
    }),
    ...quotas.map(({ what, service, part, least }) =>
      line(what, async () => {
        const values = [...(await account.quotas(service, part))];
        const needed = typeof least === 'number' ? least : least(settings);
        if (values.length === 0) return { fault: `no quota of ${service} has ${part} in its name` };
        const low = values.filter(([, value]) => value < needed).map(([name]) => name);
        const found = values.map(([name, value]) => `${name} ${value}`).join(', ');
        return { found, ...(low.length > 0 && { fault: `ask for ${needed} of ${low.join(', ')}` }) };
      }),
    ),
    ...Object.entries(domains ?? {}).map(([of, { name, certificateArn }]) =>
      line(`The certificate of ${name}`, async () => {
        const found = await account.certificate(certificateArn);
        const fault = certificateFault(found, name, mutualTls !== undefined && of !== 'providers');
        return { found: found.status, ...(fault !== undefined && { fault }) };
      }),
    ),
    ...[mutualTls ?? []].flat().map(({ trustStore, version }) =>
      line('The trust store', async () => {
        const [, bucket = '', key = ''] = /^s3:\/\/([^/]+)\/(.+)$/.exec(trustStore) ?? [];
        await account.trustStore(bucket, key, version);
        return { found: `version ${version}` };
      }),
    ),
    ...(canary?.subnets ?? []).map((subnet) =>
      line(`The canary's subnet ${subnet}`, async () => {
        const found = await account.defaultRoute(subnet);
        if (found?.startsWith('nat-')) return { found };
        return { fault: `its route to 0.0.0.0/0 has to be a NAT gateway; it is ${found ?? 'not there'}` };
      }),
    ),
    ...[canary ?? []].flat().map((one) =>
      line(`The canary's security group ${one.securityGroup}`, async () => {
        const fault = await account.securityGroupFault(one);
        return fault === undefined ? {} : { fault };
      }),
    ),
    // This identity may not read the roles of another account.
    ...[...new Set(Object.values(publishers).flat())]
      .filter((arn) => arn.split(':')[4] === environment?.account)
      .map((arn) =>
        line(`The publisher ${arn}`, async () => {
          const found = await account.roleArn(arn.split('/').at(-1) ?? '');
          const fault = 'there is no such role: nobody could put its events on the bus';
          return { found, ...(found !== arn && { fault }) };
        }),
      ),
    ...(alarmTopics === undefined
      ? []
      : [
          line('A trail of CloudTrail logs', async () => {
            const found = await account.trails();
            const fault =
              'there is no alert when somebody disables a key or schedules its deletion: create one that logs the management events that write, also those of KMS';
            return { found: found.join(', '), ...(found.length === 0 && { fault }) };
          }),
        ]),
    line('No restored table is left out', async () => {
      const inUse = (await account.tablesInUse()).filter((name) => nameBeforeRestore(name) !== name);
      const named = Object.values(restored?.tables ?? {});
      // Names of restored tables end with the second of the restore, and sort by it.
      const isKept = (name: string) =>
        named.some((one) => nameBeforeRestore(one) === nameBeforeRestore(name) && one >= name);
      const left = inUse.filter((name) => !isKept(name));
      const fault = `the service has ${left.join(', ')}, and would go back to tables before: keep them in the setting restored`;
      return { found: `${inUse.length} in use`, ...(left.length > 0 && { fault }) };
    }),
    ...Object.values(restored?.tables ?? {}).map((name) =>
      line(`The restored table ${name}`, async () => {
        const state = await account.table(name);
        return { found: state, ...(state !== 'ACTIVE' && { fault: 'it has to be ACTIVE, with all its indexes' }) };
      }),
    ),
    ...Object.entries(alarmTopics ?? {}).map(([name, arn]) =>
      line(`The topic of alarms ${name}`, async () => {
        const { confirmed, key, policy } = await account.topic(arn);
        if (key === 'alias/aws/sns')
          return { fault: 'CloudWatch may not use its key alias/aws/sns: use a key of your own' };
        if (name === 'notice' && monthlyBudget !== undefined && !policy.includes('budgets.amazonaws.com'))
          return { fault: 'its policy does not let budgets.amazonaws.com publish, and AWS refuses the budget' };
        return atLeast(confirmed, 1, 'nobody has confirmed a subscription', 'confirmed');
      }),
    ),
  ];
  return await Promise.all(lines);
}

/** Says why API Gateway would refuse the domain with this certificate. */
function certificateFault(
  { status, type, names }: ServerCertificate,
  host: string,
  asksForClientCertificates: boolean,
): string | undefined {
  if (status !== 'ISSUED') return 'it has to be ISSUED';
  if (!names.includes(host) && !names.includes(host.replace(/^[^.]+/, '*'))) return `it is for ${names.join(', ')}`;
  return asksForClientCertificates && type !== 'AMAZON_ISSUED'
    ? `a domain that asks for client certificates needs one that ACM has issued itself; it is ${type}`
    : undefined;
}

/**
 * Concurrent executions that all functions reserve together. Custodians' and rails' notifications have one function
 * each.
 */
export function reservedConcurrencyOf({ reservedConcurrency = {} }: Settings): number {
  const { notifications = 0, ...others } = reservedConcurrency;
  return Object.values(others).reduce<number>((sum, one) => sum + (one ?? 0), 2 * notifications);
}

/** The options of `npm run preflight` as they were parsed: each can be missing, or without a value. */
interface Given {
  readonly deploy?: unknown;
  readonly stage?: unknown;
  readonly context?: unknown;
}

/**
 * The stage that `--stage` names or, as the CDK has it, the last `-c stage=`. `npm run deploy` passes its options on to
 * the CDK, which ignores `--stage` and would deploy staging.
 *
 * @returns undefined for `--stage` with `npm run deploy`, and for an unknown stage
 */
export function stageFromOptions({ deploy, stage, context = [] }: Given): 'staging' | 'prod' | undefined {
  if (deploy === true && stage !== undefined) return undefined;
  const ofContext = [context].flat().flatMap((one) => /^=?stage=(.*)$/.exec(String(one))?.[1] ?? []);
  const name = stage ?? ofContext.at(-1) ?? 'staging';
  return name === 'staging' || name === 'prod' ? name : undefined;
}

async function line(what: string, look: () => Promise<Omit<Line, 'what'>>): Promise<Line> {
  try {
    return { what, ...(await look()) };
  } catch (error) {
    return { what, fault: `not known: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/** A number that AWS does not report is NaN, which is not enough. */
function atLeast(value: number, least: number, otherwise: string, unit = 'version'): Omit<Line, 'what'> {
  return { found: `${unit} ${value}`, ...(!(value >= least) && { fault: otherwise }) };
}

/** The line for people. */
export function describeLine({ what, fault, found }: Line): string {
  const details = [fault, found].filter((one) => one !== undefined).join('; ');
  return `${fault === undefined ? 'ok     ' : 'missing'}  ${what}${details === '' ? '' : `: ${details}`}`;
}
