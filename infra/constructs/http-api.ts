import { Size, Stack, Validations } from 'aws-cdk-lib';
import {
  AccessLogFormat,
  ApiKeySourceType,
  AuthorizationType,
  CfnStage,
  type Stage as DeploymentStage,
  EndpointType,
  type IAuthorizer,
  LogGroupLogDestination,
  MethodLoggingLevel,
  RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import { FilterPattern } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Contract } from '#shared/contracts/contract.ts';
import { methodsAndPathsOf } from '#shared/contracts/methods.ts';
import type { Domain } from '../settings/read-settings.ts';
import type { Stage } from '../stages.ts';
import type { ApiLogging } from './api-logging.ts';
import { limitClients, type RouteThrottling, type Throttling } from './client-limits.ts';
import { FailureAlarm } from './failure-alarm.ts';
import { allowOnlyFrom, FrontDoor } from './front-door.ts';
import { answerAsOurs } from './gateway-answers.ts';
import { integrationOf } from './route-integration.ts';
import type { ServiceFunction } from './service-function.ts';
import { ServiceLog } from './service-log.ts';

interface HttpApiProps {
  readonly stage: Stage;
  readonly description: string;
  readonly logging: ApiLogging;
  /** Custom domains under which it is reached, where the stage has them, by their names in the settings. */
  readonly domains: Readonly<Record<string, Domain | undefined>>;
  /** The callers' client certificates and addresses are checked, where the stage has settings for them. */
  readonly isGuarded: boolean;
  /** Who calls, on routes that need an access token. */
  readonly authorizer?: IAuthorizer;
  /** Requests per second and burst of single routes, as `{path}/{METHOD}`, where the stage's are too many. */
  readonly routeThrottling?: Readonly<Record<string, RouteThrottling>>;
}

/** A REST API whose own errors look like ours. */
export class HttpApi extends Construct {
  readonly restApi: RestApi;
  readonly #authorizer: IAuthorizer | undefined;
  readonly #perClient: Throttling | undefined;

  constructor(scope: Construct, id: string, props: HttpApiProps) {
    super(scope, id);
    const { stage, description, logging, authorizer, domains, isGuarded, routeThrottling = {} } = props;
    const { mutualTls, ipAllowlist } = isGuarded ? stage.settings : {};
    this.#authorizer = authorizer;
    this.#perClient = authorizer && stage.perClient;
    const accessLog = new ServiceLog(this, 'AccessLog', stage);
    this.restApi = new RestApi(this, 'Api', {
      restApiName: `${Stack.of(this).stackName}-${id.toLowerCase()}`,
      description,
      endpointTypes: [EndpointType.REGIONAL],
      cloudWatchRole: false,
      ...(this.#perClient && { apiKeySourceType: ApiKeySourceType.AUTHORIZER }),
      disableExecuteApiEndpoint: !stage.hasDefaultEndpoint,
      ...(ipAllowlist && { policy: allowOnlyFrom(ipAllowlist) }),
      // Bodies reach the functions as the bytes that were sent: signatures are over them, and text that is no UTF-8 is
      // refused, which nobody could see after API Gateway had decoded it.
      binaryMediaTypes: ['*/*'],
      minCompressionSize: Size.kibibytes(1),
      deployOptions: {
        stageName: stage.name,
        tracingEnabled: true,
        ...methodOptions(stage.throttling),
        methodOptions: Object.fromEntries(
          Object.entries(routeThrottling).map(([route, throttling]) => [route, methodOptions(throttling)]),
        ),
        accessLogDestination: new LogGroupLogDestination(accessLog),
        accessLogFormat: AccessLogFormat.custom(JSON.stringify(accessLogFields)),
      },
    });
    if (stage.name === 'local') writePathsAsTheyAre(this.restApi.deploymentStage, Object.keys(routeThrottling));
    // An output of the CDK's own, of an address that may not answer.
    this.restApi.node.tryRemoveChild('Endpoint');
    // API Gateway writes errors of single calls there, and would make it without an end to its lines.
    const executionLog = `API-Gateway-Execution-Logs_${this.restApi.restApiId}/${stage.name}`;
    this.restApi.deploymentStage.node.addDependency(logging, new ServiceLog(this, 'ExecutionLog', stage, executionLog));
    new FrontDoor(this, 'FrontDoor', { restApi: this.restApi, domains, mutualTls });
    const failures = { lines: FilterPattern.stringValue('$.status', '=', '5*'), metricName: `${id} failures` };
    const remedy = `Look at the access log, at route, gatewayError and integrationStatus; the metric "${id} failures by route" counts them apart.`;
    const metric = accessLog.alarm(
      'Failures',
      failures,
      `Calls of clients or providers fail, in the authorizer, before their function or in it. ${remedy}`,
    );
    new FailureAlarm(this, 'Failing', {
      description: `Calls of clients or providers have failed in five of the last fifteen minutes. ${remedy}`,
      metric,
      periods: { failing: 5, of: 15 },
      callsPeople: true,
    });
    accessLog.count('FailuresByRoute', {
      ...failures,
      metricName: `${id} failures by route`,
      by: { Method: '$.method', Route: '$.route' },
    });
    answerAsOurs(this.restApi);
    if (this.#perClient !== undefined) limitClients(this, this.restApi, this.#perClient, routeThrottling);
    Validations.of(this.restApi).acknowledge(
      { id: 'AwsSolutions-APIG2', reason: 'Requests are validated by the contracts, whose errors name the value.' },
      {
        id: 'AwsSolutions-APIG3',
        reason:
          'Clients are authenticated, providers sign, the pace of both is limited; a web ACL is for the account to decide.',
      },
    );
  }

  /** Serves a route, and its aliases, by a function. */
  serve(contract: Contract, served: ServiceFunction): void {
    const integration = integrationOf(contract, this.restApi, served);
    for (const { method: verb, path } of methodsAndPathsOf(contract)) {
      const method = this.restApi.root.resourceForPath(path).addMethod(verb, integration, this.#access(contract));
      if (contract.access === 'public' || contract.access === 'provider') {
        const reason = contract.access === 'public' ? 'The interface makes it public.' : 'Guarded by the signature.';
        Validations.of(method).acknowledge({ id: 'AwsSolutions-APIG4', reason }, { id: 'AwsSolutions-COG4', reason });
      } else {
        const reason = 'Clients are companies with tokens of our own issue, verified by the Lambda authorizer.';
        Validations.of(method).acknowledge({ id: 'AwsSolutions-COG4', reason });
      }
    }
  }

  #access({ access, name }: Contract) {
    if (access === 'public' || access === 'provider') return { authorizationType: AuthorizationType.NONE };
    if (this.#authorizer === undefined)
      throw new Error(`${name} needs an access token, and this API has no authorizer.`);
    return {
      authorizationType: AuthorizationType.CUSTOM,
      authorizer: this.#authorizer,
      apiKeyRequired: this.#perClient !== undefined,
    };
  }
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

/** Of methods with settings of their own: AWS wants their slashes as `~1`, by which the local AWS does not find them. */
function writePathsAsTheyAre({ node: { defaultChild } }: DeploymentStage, routes: readonly string[]): void {
  for (const [index, route] of routes.entries()) {
    if (!(defaultChild instanceof CfnStage))
      throw new Error('The CDK makes the stage of an API differently than before: adapt infra/constructs/http-api.ts.');
    // The first settings are those of all methods.
    defaultChild.addPropertyOverride(`MethodSettings.${index + 1}.ResourcePath`, route.replace(/\/[A-Z]+$/, ''));
  }
}

/** Ids and codes only; never a query string, header or address that says more than whence it came. */
const accessLogFields = {
  requestId: '$context.requestId',
  extendedRequestId: '$context.extendedRequestId',
  xrayTraceId: '$context.xrayTraceId',
  sourceIp: '$context.identity.sourceIp',
  clientId: '$context.authorizer.clientId',
  method: '$context.httpMethod',
  route: '$context.resourcePath',
  status: '$context.status',
  responseLatency: '$context.responseLatency',
  integrationStatus: '$context.integration.status',
  gatewayError: '$context.error.responseType',
};
