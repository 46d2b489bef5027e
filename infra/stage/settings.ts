import ipaddr from 'ipaddr.js';
import * as z from 'zod/mini';
import { OWN_SOURCE } from '#shared/events/notified-events.ts';
import { timeZone } from '#shared/platform/time-zone.ts';
import { providerSettings } from './provider-settings.ts';
import { restoredTables } from './table-shapes.ts';

/** A host that clients or providers call, with the certificate of its name in the account and region of the stack. */
const domain = z.strictObject({
  name: z.string().check(z.regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/)),
  certificateArn: z.string().check(z.regex(/^arn:aws[a-z-]*:acm:/)),
});

export type Domain = z.infer<typeof domain>;

const topic = z.string().check(z.regex(/^arn:aws[a-z-]*:sns:/));

/** Without `*` and `?`: in a policy these are patterns, and a name with one of them would let in other roles, too. */
const role = z.string().check(z.regex(/^arn:aws[a-z-]*:iam::\d{12}:role\/[\w+=,.@/-]+$/));

/**
 * AWS refuses a malformed block only in the middle of a deployment. A web ACL does not take `/0`, which is everybody,
 * nor an address with bits behind its prefix: 203.0.113.7/24 is either 203.0.113.7/32 or 203.0.113.0/24.
 */
const cidrBlock = z
  .union([z.cidrv4(), z.cidrv6()])
  .check(z.refine((block) => !block.endsWith('/0') && ipaddr.isValidCIDR(block) && beginsItsNetwork(block)));

function beginsItsNetwork(block: string): boolean {
  const [address] = ipaddr.parseCIDR(block);
  const family = address.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6;
  return address.toString() === family.networkAddressFromCIDR(block).toString();
}

const cidrBlocks = z.array(cidrBlock).check(z.minLength(1));

/** Names of the conditions of infra/platform/strict-conditions.ts. */
export const strictNames = ['declared-hashes', 'searches', 'outbox', 'client-secrets'] as const;

export type StrictName = (typeof strictNames)[number];

/**
 * Text that every service of AWS takes in a tag: a tag that is refused fails the first stack, and leaves protected
 * tables behind.
 */
const tagText = z.string().check(
  z.regex(/^[\p{L}\p{Z}\p{N}_.:/=+@-]*$/u),
  z.maxLength(256),
  z.refine((text) => !text.toLowerCase().startsWith('aws:')),
);

const concurrency = z.optional(z.int().check(z.positive()));

/** The output of `npm run restore`: the tables that the service reads in place of those of the data's stack. */
export const restored = z.strictObject({
  /** The second to which the tables were restored, in UTC. */
  at: z.iso.datetime({ precision: 0 }),
  /** The name of each restored table. A table without one is read under the name that the stack gives it. */
  tables: z.partialRecord(z.enum(restoredTables), z.string().check(z.regex(/^[\w.-]{3,255}$/))),
  /** True once the books have matched every movement out since then: before, nothing is returned or refunded. */
  booksMatched: z.optional(z.literal(true)),
  /** The data's stack has the tables, too: the deployment imports them (docs/disaster.md). */
  inStack: z.optional(z.literal(true)),
});

/** The settings in which the stages of a company differ, as in infra/settings/<stage>.json. */
export const settings = z.strictObject({
  /** The account and region of the stack: the CDK refuses credentials of another account before anything is made. */
  environment: z.optional(
    z.strictObject({
      account: z.string().check(z.regex(/^\d{12}$/)),
      region: z.string().check(z.regex(/^[a-z]+(-[a-z]+)+-\d$/)),
    }),
  ),
  /** `admin` serves /api/v1/admin/…, `api` the other paths; both reach the same API. Providers have an API of their own. */
  domains: z.optional(z.strictObject({ admin: domain, api: domain, providers: domain })),
  /**
   * The certificate authorities whose client certificates are accepted, as PEM in a versioned bucket. API Gateway reads
   * the file only when its address or version changes here.
   */
  mutualTls: z.optional(
    z.strictObject({
      trustStore: z.string().check(z.regex(/^s3:\/\/[^/]+\/.+$/)),
      version: z.string().check(z.minLength(1)),
    }),
  ),
  /**
   * The address of the guides: problems and the description of the interface lead there. Without this, the API itself
   * has them, which production opens only to known addresses and client certificates: name staging's, or the host of
   * what `npm run docs` has written.
   */
  docsUrl: z.optional(z.string().check(z.regex(/^https:\/\/[^\s?#]*[^\s?#/]$/))),
  /** Addresses from which clients may call, as CIDR blocks. */
  ipAllowlist: z.optional(cidrBlocks),
  /**
   * The network from which the canary calls: subnets whose NAT gateway has a fixed address, which `ipAllowlist` has,
   * too. Without this, the address of the canary changes, and an allowlist refuses it.
   */
  canary: z.optional(
    z.strictObject({
      subnets: z.array(z.string().check(z.regex(/^subnet-[0-9a-f]{8,17}$/))).check(z.minLength(1)),
      securityGroup: z.string().check(z.regex(/^sg-[0-9a-f]{8,17}$/)),
    }),
  ),
  /** Addresses from which custodian and rail notify, as they publish them; any address when not given. */
  providerSources: z.optional(cidrBlocks),
  /**
   * SNS topics: `call` wakes a person when money waits, or something stops until a person acts; `notice` can be read in
   * the morning. A stage without topics creates two.
   */
  alarmTopics: z.optional(z.strictObject({ call: topic, notice: topic })),
  /**
   * US dollars that the whole account may cost in a month: the topic of notices is notified at 80 %, and when AWS
   * expects more.
   */
  monthlyBudget: z.optional(z.int().check(z.positive())),
  /**
   * Concurrent executions that are reserved for each function of a group, and that it never exceeds, so that no
   * function takes those of another. AWS refuses a reservation that leaves the account less than 100 for all other
   * functions: a new account can reserve none.
   */
  reservedConcurrency: z.optional(
    z.strictObject({
      authorizer: concurrency,
      token: concurrency,
      checkDeposit: concurrency,
      matchDeposit: concurrency,
      notifications: concurrency,
    }),
  ),
  /**
   * The roles that put other services' events on the bus, by source: ARNs, also of other accounts. Nobody else can put
   * events of a source that is named here, nor of compliance and payouts, even if these are not named. Events of a
   * named source reach webhooks, except this service's own types; events of any other source do not.
   */
  publishers: z.optional(
    z.record(z.string().check(z.refine((source) => source !== OWN_SOURCE)), z.array(role).check(z.minLength(1))),
  ),
  /**
   * The role for emergencies: no policy of a table or key denies it anything, so that a wrong policy can be fixed.
   * Nobody assumes it in daily work.
   */
  breakGlassRole: z.optional(role),
  /** Roles that may call the operators' API, each within its own policy. */
  operatorRoles: z.optional(z.array(role).check(z.minLength(1))),
  /** Addresses from which operators may call, as CIDR blocks; from everywhere when not given. */
  operatorAddresses: z.optional(cidrBlocks),
  /**
   * Conditions on what functions write, which only AWS evaluates: name those with which `npm run try-permissions` has
   * run the real transactions in an account (docs/on-aws.md).
   */
  strict: z.optional(z.array(z.enum(strictNames))),
  /**
   * By COP and by token, the decimal amount up to which one person ends a pay-in or has a deposit returned; a larger
   * amount takes two persons, and without an entry every amount does.
   */
  twoPersonsAbove: z.optional(
    z.record(
      z.string().check(z.regex(/^[A-Z][A-Z\d.]{1,11}$/)),
      z.string().check(z.regex(/^(0|[1-9]\d{0,29})(\.\d{1,18})?$/)),
    ),
  ),
  /** Years for which the law requires the data of a person after their request for erasure; 10 when not given. */
  keepRecordsYears: z.optional(z.int().check(z.gte(1), z.lte(30))),
  /** The time zone, as IANA names it, of the days in operators' reports; UTC when not given. */
  timeZone: z.optional(timeZone),
  /**
   * The names in Secrets Manager of the secrets of providers' adapters, by the variables that their deployments name.
   */
  secrets: z.optional(z.record(z.string(), z.string().check(z.regex(/^[\w/+=.@-]+$/)))),
  ...providerSettings,
  /** After a restore (docs/disaster.md). */
  restored: z.optional(restored),
  /** Tags of the company's own, such as owner and repository, beside those that every stack has. */
  tags: z.optional(z.record(tagText.check(z.minLength(1), z.maxLength(128)), tagText)),
});

export type Settings = z.infer<typeof settings>;

export type ConcurrencyGroup = keyof NonNullable<Settings['reservedConcurrency']>;
