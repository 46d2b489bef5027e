import { Duration, Size, Stack, Validations } from 'aws-cdk-lib';
import {
  AccessLogFormat,
  ApiDefinition,
  CfnStage,
  type CfnUsagePlan,
  type Stage as DeploymentStage,
  EndpointType,
  LogGroupLogDestination,
  MethodLoggingLevel,
  SpecRestApi,
} from 'aws-cdk-lib/aws-apigateway';
import { MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import type { PolicyDocument } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, type MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { FailureAlarm } from '#infra/platform/failure-alarm.ts';
import type { RouteThrottling, Throttling } from '#infra/platform/route.ts';
import { ServiceLog } from '#infra/platform/service-log.ts';
import type { Domain } from '#infra/stage/settings.ts';
import type { Stage } from '#infra/stage/stages.ts';
import { apiBody, areSigned, type ServedRoute } from './api-body.ts';
import { createInvoker } from './api-invoker.ts';
import type { ApiLogging } from './api-logging.ts';
import { limitClients } from './client-limits.ts';
import { allowOnlyFrom, CustomDomains } from './custom-domains.ts';
import { addLocalGatewayResponses } from './gateway-answers.ts';

interface HttpApiProps {
  readonly stage: Stage;
  readonly description: string;
  readonly logging: ApiLogging;
  /** The custom domains of the API by their names in the settings, where the stage has them. */
  readonly domains: Readonly<Record<string, Domain | undefined>>;
  /** True if client certificates and source addresses are checked, where the stage has settings for them. */
  readonly isGuarded: boolean;
  /** The resource policy of the API; replaces the allowlist of the settings. */
  readonly policy?: PolicyDocument | undefined;
  readonly routes: readonly ServedRoute[];
  /** True if the alarm calls people when the API keeps failing. */
  readonly callsPeople: boolean;
  /** Counts the 5xx answers that callers cause; the alarm leaves them out. */
  readonly declined?: MetricFilter;
  /** The authorizer of the routes that need an access token. */
  readonly authorizer?: IFunction;
  /** Limits of single routes, as `{path}/{METHOD}`, where those of the stage do not fit. */
  readonly routeThrottling?: Readonly<Record<string, RouteThrottling>>;
}

/** A REST API, imported from a body that its routes make. API Gateway's own errors look like the service's. */
export class HttpApi extends Construct {
  readonly restApi: SpecRestApi;
  readonly accessLog: ServiceLog;
  /** The usage plan that limits each client; undefined where clients have no limits. */
  readonly usagePlan: CfnUsagePlan | undefined;

  constructor(scope: Construct, id: string, props: HttpApiProps) {
    super(scope, id);
    const { stage, description, logging, routes, authorizer, domains, isGuarded, routeThrottling = {} } = props;
    const { mutualTls, ipAllowlist } = isGuarded ? stage.settings : {};
    const ownThrottling = Object.entries(routeThrottling).flatMap(([route, { all }]) =>
      all ? [[route, all] as const] : [],
    );
    const policy = props.policy ?? (ipAllowlist && allowOnlyFrom(ipAllowlist));
    const perClient = authorizer && stage.perClient;
    const functions = [...routes.map(({ lambda }) => lambda), ...(authorizer ? [authorizer] : [])];
    const invoker = createInvoker(this, functions);
    this.accessLog = new ServiceLog(this, 'AccessLog', stage);
    const name = `${Stack.of(this).stackName}-${id.toLowerCase()}`;
    const body = apiBody({
      name,
      description,
      routes,
      authorizer,
      docsUrl: stage.docsUrl,
      countsByClient: perClient !== undefined,
      invoker,
    });
    this.restApi = new SpecRestApi(this, 'Api', {
      apiDefinition: ApiDefinition.fromInline(body),
      // Fail the deployment on anything that the import would ignore.
      failOnWarnings: true,
      restApiName: name,
      description,
      endpointTypes: [EndpointType.REGIONAL],
      cloudWatchRole: false,
      // An API without a domain of its own keeps its default endpoint.
      disableExecuteApiEndpoint: !stage.hasDefaultEndpoint && Object.keys(domains).length > 0,
      ...(policy && { policy }),
      // Bodies reach the functions as the bytes that were sent: signatures cover bytes, and after decoding by API
      // Gateway invalid UTF-8 could not be detected and refused.
      binaryMediaTypes: ['*/*'],
      minCompressionSize: Size.kibibytes(1),
      deployOptions: {
        stageName: stage.name,
        tracingEnabled: true,
        ...methodOptions(stage.throttling),
        methodOptions: Object.fromEntries(
          ownThrottling.map(([route, throttling]) => [route, methodOptions(throttling)]),
        ),
        accessLogDestination: new LogGroupLogDestination(this.accessLog),
        accessLogFormat: AccessLogFormat.custom(JSON.stringify(accessLogFields)),
      },
    });
    if (stage.name === 'local')
      writePathsAsTheyAre(
        this.restApi.deploymentStage,
        ownThrottling.map(([route]) => route),
      );
    // The CDK adds an output with the default endpoint, which may be disabled.
    this.restApi.node.tryRemoveChild('Endpoint');
    // The log group in which API Gateway writes errors of single calls. A group made by API Gateway would never expire
    // its lines.
    const executionLog = `API-Gateway-Execution-Logs_${this.restApi.restApiId}/${stage.name}`;
    this.restApi.deploymentStage.node.addDependency(logging, new ServiceLog(this, 'ExecutionLog', stage, executionLog));
    new CustomDomains(this, 'CustomDomains', { restApi: this.restApi, domains, mutualTls });
    alarmOnFailures(this, id, this.accessLog, props);
    if (stage.name === 'local') addLocalGatewayResponses(this.restApi, areSigned(routes), stage.docsUrl);
    this.usagePlan = perClient && limitClients(this, this.restApi, perClient, routeThrottling);
    Validations.of(this.restApi).acknowledge(
      { id: 'AwsSolutions-APIG2', reason: 'Requests are validated by the contracts, whose errors name the value.' },
      {
        id: 'AwsSolutions-APIG3',
        reason:
          'Operators sign with identities of the account; providers have a web ACL where the settings name their addresses.',
      },
    );
  }
}

/** 5xx answers raise an alarm; a metric shows people which route failed. */
function alarmOnFailures(
  api: HttpApi,
  id: string,
  accessLog: ServiceLog,
  { callsPeople, declined }: Pick<HttpApiProps, 'callsPeople' | 'declined'>,
): void {
  const failures = { lines: FilterPattern.stringValue('$.status', '=', '5*'), metricName: `${id} failures` };
  const remedy = `Look at the access log for route, gatewayError and integrationStatus; the metric "${id} failures by route" counts by route.`;
  accessLog.alarm('Failures', failures, {
    description: `Calls of clients, providers or operators fail, in the authorizer, before their function or in it. ${remedy}`,
    runbook: 'an-api-fails',
  });
  accessLog.count('FailuresByRoute', {
    ...failures,
    metricName: `${id} failures by route`,
    by: { Method: '$.method', Route: '$.route' },
  });
  const { restApi } = api;
  const ofQuarterHour = { period: Duration.minutes(15), statistic: 'Sum' } as const;
  // Callers' mistakes count neither as failures nor as calls: a flood of them would hide that everything else fails.
  const [failed, answered] = declined
    ? ['(failed - FILL(declined, 0))', '(calls - refused - FILL(declined, 0))']
    : ['failed', '(calls - refused)'];
  new FailureAlarm(api, 'Failing', {
    description: `Calls of clients, providers or operators keep failing: within a quarter of an hour half of them, at least three, or a fiftieth, at least ten. ${remedy}`,
    runbook: 'an-api-fails',
    metric: new MathExpression({
      expression: `(${failed} >= 3 AND 2 * ${failed} >= ${answered}) OR (${failed} >= 10 AND 50 * ${failed} >= ${answered})`,
      usingMetrics: {
        failed: restApi.metricServerError(ofQuarterHour),
        refused: restApi.metricClientError(ofQuarterHour),
        calls: restApi.metricCount({ period: Duration.minutes(15), statistic: 'SampleCount' }),
        ...(declined && { declined: declined.metric(ofQuarterHour) }),
      },
      period: Duration.minutes(15),
      label: 'calls go on failing',
    }),
    callsPeople,
    undoesReleases: callsPeople ? 'ALL' : 'NONE',
  });
}

function methodOptions({ rate, burst }: Throttling) {
  return {
    // Metrics of every single method cost money without a call; the access log says which route failed.
    metricsEnabled: false,
    loggingLevel: MethodLoggingLevel.ERROR,
    throttlingRateLimit: rate,
    throttlingBurstLimit: burst,
  };
}

/**
 * Writes the paths of methods with their own settings with plain slashes: AWS wants slashes as `~1`, but the local AWS
 * does not find those.
 */
function writePathsAsTheyAre({ node: { defaultChild } }: DeploymentStage, routes: readonly string[]): void {
  for (const [index, route] of routes.entries()) {
    if (!(defaultChild instanceof CfnStage))
      throw new Error('The CDK makes the stage of an API differently than before: adapt infra/api/http-api.ts.');
    // The first entry holds the settings of all methods.
    defaultChild.addPropertyOverride(`MethodSettings.${index + 1}.ResourcePath`, route.replace(/\/[A-Z]+$/, ''));
  }
}

/** Ids, codes, the caller's address and the subject of its certificate; never a query string or a header. */
const accessLogFields = {
  requestId: '$context.requestId',
  extendedRequestId: '$context.extendedRequestId',
  xrayTraceId: '$context.xrayTraceId',
  sourceIp: '$context.identity.sourceIp',
  clientId: '$context.authorizer.clientId',
  operator: '$context.identity.userArn',
  certificateSubject: '$context.identity.clientCert.subjectDN',
  certificateSerial: '$context.identity.clientCert.serialNumber',
  method: '$context.httpMethod',
  route: '$context.resourcePath',
  status: '$context.status',
  responseLatency: '$context.responseLatency',
  integrationStatus: '$context.integration.status',
  gatewayError: '$context.error.responseType',
};
