import { Duration, Stack } from 'aws-cdk-lib';
import type { SpecRestApi } from 'aws-cdk-lib/aws-apigateway';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern } from 'aws-cdk-lib/aws-logs';
import { CfnIPSet, CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';
import { FailureAlarm } from '#infra/platform/failure-alarm.ts';
import type { ServiceLog } from '#infra/platform/service-log.ts';
import type { Stage } from '#infra/stage/stages.ts';
import { issueTokenContract } from '#shared/clients/access-token-contract.ts';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import { oauthError, problemFor } from '#shared/platform/http/problem.ts';

type Rule = Pick<CfnWebACL.RuleProperty, 'statement'> & Required<Pick<CfnWebACL.RuleProperty, 'name'>> & Blocked;

interface Blocked {
  /** What is answered; 403 by API Gateway when not given. */
  readonly answer?: CfnWebACL.CustomResponseProperty;
}

/** Refuses by source address, before any other part of AWS or of ours sees the request. */
class WebAcl extends Construct {
  readonly #name: string;

  constructor(
    scope: Construct,
    id: string,
    { restApi, rules, bodies = {} }: { restApi: SpecRestApi; rules: readonly Rule[]; bodies?: Record<string, object> },
  ) {
    super(scope, id);
    this.#name = `${Stack.of(this).stackName}-${scope.node.id.toLowerCase()}`;
    const seen = (metricName: string) => ({
      cloudWatchMetricsEnabled: true,
      sampledRequestsEnabled: true,
      metricName,
    });
    const acl = new CfnWebACL(this, 'Acl', {
      name: this.#name,
      scope: 'REGIONAL',
      defaultAction: { allow: {} },
      visibilityConfig: seen(this.#name),
      customResponseBodies: Object.fromEntries(
        Object.entries(bodies).map(([key, body]) => [
          key,
          { contentType: 'APPLICATION_JSON', content: JSON.stringify(body) },
        ]),
      ),
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

  /** What a rule has refused in ten minutes. */
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

/** Whoever tries secrets, or asks for a token at each call, is refused by its address, and takes nothing from the others. */
export function limitTokensByAddress(scope: Construct, restApi: SpecRestApi): void {
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
  const problem = problemFor(TOO_MANY, '');
  new WebAcl(scope, 'WebAcl', {
    restApi,
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

/** From elsewhere, though with a provider's signature header: the provider may call from an address that it has not published. */
const SIGNED = 'SignedFromElsewhere';

/** Lets nobody but the providers notify, by the addresses that they publish; junk then uses up nothing of theirs. */
export function admitProviders(
  scope: Construct,
  restApi: SpecRestApi,
  { settings: { providerSources }, custodian, rail }: Stage,
): void {
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
  const fromElsewhere = { notStatement: { statement: fromProvider } };
  const hasHeader = (Name: string) => ({
    sizeConstraintStatement: {
      fieldToMatch: { singleHeader: { Name } },
      comparisonOperator: 'GT',
      size: 0,
      textTransformations: [{ priority: 0, type: 'NONE' }],
    },
  });
  const isSigned = anyOf([custodian.signatureHeader, rail.signatureHeader].map(hasHeader));
  const acl = new WebAcl(scope, 'WebAcl', {
    restApi,
    rules: [
      { name: SIGNED, statement: { andStatement: { statements: [fromElsewhere, isSigned] } } },
      { name: 'FromElsewhere', statement: fromElsewhere },
    ],
  });
  new FailureAlarm(scope, SIGNED, {
    description:
      'Deposits and payments are perhaps noticed late: more than 20 notifications in ten minutes with a signature header were refused, because their addresses are not in providerSources. Look at the sampled requests of the web ACL, and at the addresses that the provider publishes.',
    runbook: 'notifications-are-refused',
    metric: acl.blockedBy(SIGNED),
    threshold: 21,
    // It stays on for a day, so that junk alerts a person once.
    periods: { failing: 1, of: 144 },
    callsPeople: true,
  });
}

/** Somebody is called when notifications come too fast: they are of money that has come. */
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

/** AWS takes no `or` of one. */
function anyOf(statements: readonly CfnWebACL.StatementProperty[]): CfnWebACL.StatementProperty {
  const [first, ...others] = statements;
  return first !== undefined && others.length === 0 ? first : { orStatement: { statements: [...statements] } };
}
