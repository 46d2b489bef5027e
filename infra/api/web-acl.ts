import { Duration, Stack } from 'aws-cdk-lib';
import type { SpecRestApi } from 'aws-cdk-lib/aws-apigateway';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern } from 'aws-cdk-lib/aws-logs';
import { CfnIPSet, CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';
import { FailureAlarm } from '#infra/platform/failure-alarm.ts';
import type { ServiceLog } from '#infra/platform/service-log.ts';
import { custodiansOf, railsOf, type Stage } from '#infra/stage/stages.ts';
import { issueTokenContract } from '#shared/clients/access-token-contract.ts';
import { receiveRailNotificationContract } from '#shared/pay-ins/rails/rail-notification-contract.ts';
import { oauthError, problemFor } from '#shared/platform/http/answer.ts';
import { apiErrors } from '#shared/platform/http/api-errors.ts';

type Rule = Pick<CfnWebACL.RuleProperty, 'statement'> & Required<Pick<CfnWebACL.RuleProperty, 'name'>> & Blocked;

interface Blocked {
  /** The answer to a blocked request; 403 by API Gateway when not given. */
  readonly answer?: CfnWebACL.CustomResponseProperty;
}

interface WebAclProps {
  readonly restApi: SpecRestApi;
  readonly rules: readonly Rule[];
  readonly bodies?: Readonly<Record<string, object>>;
  /** True if AWS keeps samples of requests: for three hours, with all headers, for anyone who may read the account. */
  readonly keepsSamples: boolean;
}

/** A web ACL: it refuses by source address, before API Gateway or the service sees the request. */
class WebAcl extends Construct {
  readonly #name: string;

  constructor(scope: Construct, id: string, { restApi, rules, bodies = {}, keepsSamples }: WebAclProps) {
    super(scope, id);
    this.#name = `${Stack.of(this).stackName}-${scope.node.id.toLowerCase()}`;
    const seen = (metricName: string) => ({
      cloudWatchMetricsEnabled: true,
      sampledRequestsEnabled: keepsSamples,
      metricName,
    });
    const acl = new CfnWebACL(this, 'Acl', {
      name: this.#name,
      scope: 'REGIONAL',
      defaultAction: { allow: {} },
      visibilityConfig: seen(this.#name),
      // AWS refuses an empty list of bodies.
      ...(Object.keys(bodies).length > 0 && {
        customResponseBodies: Object.fromEntries(
          Object.entries(bodies).map(([key, body]) => [
            key,
            { contentType: 'APPLICATION_JSON', content: JSON.stringify(body) },
          ]),
        ),
      }),
      rules: rules.map(({ name, statement, answer }, priority) => ({
        name,
        priority,
        statement,
        action: { block: answer ? { customResponse: answer } : {} },
        visibilityConfig: seen(name),
      })),
    });
    new CfnWebACLAssociation(this, 'Association', {
      resourceArn: restApi.deploymentStage.stageArn,
      webAclArn: acl.attrArn,
    });
  }

  /** Counts the requests that a rule has refused in ten minutes. */
  blockedBy(rule: string): Metric {
    return new Metric({
      namespace: 'AWS/WAFV2',
      metricName: 'BlockedRequests',
      dimensionsMap: { WebACL: this.#name, Rule: rule, Region: Stack.of(this).region },
      period: Duration.minutes(10),
      statistic: 'Sum',
    });
  }
}

/** Token requests of one address in a minute: five times what a single client may have. */
const TOKENS_A_MINUTE = 600;

const TOO_MANY = apiErrors.TOO_MANY_REQUESTS;

/**
 * Limits token requests per address: a caller who guesses secrets, or requests a token for each call, affects nobody
 * else.
 */
export function limitTokensByAddress(scope: Construct, restApi: SpecRestApi, docsUrl: string): void {
  const isOf = (path: string) => ({
    byteMatchStatement: {
      searchString: path,
      positionalConstraint: 'CONTAINS',
      fieldToMatch: { uriPath: {} },
      textTransformations: [
        { priority: 0, type: 'URL_DECODE' },
        { priority: 1, type: 'NORMALIZE_PATH' },
      ],
    },
  });
  const problem = problemFor(TOO_MANY, '', docsUrl);
  new WebAcl(scope, 'WebAcl', {
    restApi,
    // Samples would contain clients' access tokens, and their secrets where these come by HTTP Basic.
    keepsSamples: false,
    bodies: { [TOO_MANY.code]: { ...problem, ...oauthError(TOO_MANY.code, problem.detail) } },
    rules: [
      {
        name: 'TokensByAddress',
        statement: {
          rateBasedStatement: {
            limit: TOKENS_A_MINUTE,
            evaluationWindowSec: 60,
            aggregateKeyType: 'IP',
            scopeDownStatement: {
              orStatement: { statements: [issueTokenContract.path, ...(issueTokenContract.aliases ?? [])].map(isOf) },
            },
          },
        },
        answer: {
          responseCode: problem.status,
          customResponseBodyKey: TOO_MANY.code,
          responseHeaders: [{ name: 'Retry-After', value: '60' }],
        },
      },
    ],
  });
}

/**
 * The rule for requests from other addresses with a provider's signature header: a provider may call from an address
 * that it has not published.
 */
const SIGNED = 'SignedFromElsewhere';

const pathOf = (rail: string) => receiveRailNotificationContract.path.replace('{rail}', rail);

/** Compares the path as it was sent: decoding and normalisation may turn it into the path of another route. */
const endsWith = (path: string) => ({
  byteMatchStatement: {
    searchString: path,
    positionalConstraint: 'ENDS_WITH',
    fieldToMatch: { uriPath: {} },
    textTransformations: [{ priority: 0, type: 'NONE' }],
  },
});

/**
 * Accepts notifications only from the addresses that the providers publish, so that junk cannot use up their limits. A
 * rail that publishes no addresses notifies on its own path, which has its own limit.
 */
export function admitProviders(scope: Construct, restApi: SpecRestApi, stage: Stage): void {
  const { providerSources } = stage.settings;
  if (providerSources === undefined) return;
  const families = [
    ['IPV4', providerSources.filter((block) => !block.includes(':'))],
    ['IPV6', providerSources.filter((block) => block.includes(':'))],
  ] as const;
  const fromProvider = anyOf(
    families.flatMap(([ipAddressVersion, addresses]) => {
      if (addresses.length === 0) return [];
      const set = new CfnIPSet(scope, `Providers${ipAddressVersion}`, {
        scope: 'REGIONAL',
        ipAddressVersion,
        addresses: [...addresses],
      });
      return [{ ipSetReferenceStatement: { arn: set.attrArn } }];
    }),
  );
  const fromAnywhere = railsOf(stage).filter(({ notifiesFromAnywhere }) => notifiesFromAnywhere);
  const isAdmitted = anyOf([fromProvider, ...fromAnywhere.map(({ name }) => endsWith(pathOf(name)))]);
  const fromElsewhere = { notStatement: { statement: isAdmitted } };
  const hasHeader = (Name: string) => ({
    sizeConstraintStatement: {
      fieldToMatch: { singleHeader: { Name } },
      comparisonOperator: 'GT',
      size: 0,
      textTransformations: [{ priority: 0, type: 'NONE' }],
    },
  });
  const isSigned = anyOf(
    [...custodiansOf(stage), ...railsOf(stage)].flatMap(({ signatureHeader: header }) =>
      header === undefined ? [] : hasHeader(header),
    ),
  );
  const acl = new WebAcl(scope, 'WebAcl', {
    restApi,
    keepsSamples: true,
    rules: [
      { name: SIGNED, statement: { andStatement: { statements: [fromElsewhere, isSigned] } } },
      { name: 'FromElsewhere', statement: fromElsewhere },
    ],
  });
  new FailureAlarm(scope, SIGNED, {
    description:
      'Deposits and payments may be noticed late: more than 20 notifications in ten minutes with a signature header were refused, because their addresses are not in providerSources. Look at the sampled requests of the web ACL, and at the addresses that the provider publishes.',
    runbook: 'notifications-are-refused',
    metric: acl.blockedBy(SIGNED),
    threshold: 21,
    // It stays on for a day, so that junk alerts a person once.
    periods: { failing: 1, of: 144 },
    callsPeople: true,
  });
}

/** Calls a person when notifications are throttled: each one reports money that has arrived. */
export function alarmOnThrottling(accessLog: ServiceLog): void {
  accessLog.alarm(
    'Throttled',
    { lines: FilterPattern.stringValue('$.status', '=', '429'), metricName: 'Providers throttled' },
    {
      description:
        'Deposits and payments are noticed late: notifications are refused, because too many calls come at once. Look at the access log of the API of providers for sourceIp.',
      runbook: 'notifications-are-refused',
      callsPeople: true,
    },
  );
}

/** AWS refuses an `or` with a single statement. */
function anyOf(statements: readonly CfnWebACL.StatementProperty[]): CfnWebACL.StatementProperty {
  const [first, ...others] = statements;
  return first !== undefined && others.length === 0 ? first : { orStatement: { statements: [...statements] } };
}
