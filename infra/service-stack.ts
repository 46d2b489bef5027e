import { CfnOutput, CliCredentialsStackSynthesizer, Duration, Stack } from 'aws-cdk-lib';
import { IdentitySource, TokenAuthorizer } from 'aws-cdk-lib/aws-apigateway';
import { KeySpec } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import { receiveCustodianNotification } from '#shared/contracts/custodian-notification.ts';
import { COMPLIANCE, PAYOUTS } from '#shared/contracts/incoming-events.ts';
import { methodsAndPathsOf } from '#shared/contracts/methods.ts';
import { receiveRailNotification } from '#shared/contracts/rail-notification.ts';
import { BEARER_TOKEN } from '#shared/contracts/token.ts';
import type { FunctionBundles } from './bundle/bundle-functions.ts';
import { ApiLogging } from './constructs/api-logging.ts';
import { DepositDetection } from './constructs/deposit-detection.ts';
import { allowStarting, DepositVerification } from './constructs/deposit-verification.ts';
import { ServiceBus } from './constructs/event-bus.ts';
import { EventPublication } from './constructs/event-publication.ts';
import { callPeople } from './constructs/failure-alarm.ts';
import { HttpApi } from './constructs/http-api.ts';
import { encryptionKey, signingKey } from './constructs/keys.ts';
import { ParameterLists } from './constructs/parameter-lists.ts';
import { PayinSettlement } from './constructs/payin-settlement.ts';
import { type FunctionSurroundings, ServiceFunction } from './constructs/service-function.ts';
import { ERROR_LINES, REPORTED_LINES, ServiceLog } from './constructs/service-log.ts';
import { SimulatedPayouts } from './constructs/simulated-payouts.ts';
import { StatusChanges } from './constructs/status-changes.ts';
import { createTables } from './constructs/tables.ts';
import { tagEverything } from './constructs/tags.ts';
import { WebhookDeliveries } from './constructs/webhook-deliveries.ts';
import { type Endpoint, endpoints, type Need, sandboxEndpoints } from './endpoints.ts';
import { canHonour, type Stage } from './stages.ts';

interface ServiceStackProps {
  readonly stage: Stage;
  readonly bundles: FunctionBundles;
}

/** The whole service of one stage. */
export class ServiceStack extends Stack {
  constructor(scope: Construct, id: string, { stage, bundles }: ServiceStackProps) {
    const { environment, domains } = stage.settings;
    // @ts-expect-error the CDK's synthesizers do not fit its own interface under exactOptionalPropertyTypes
    super(scope, id, {
      description: `Fiat pay-in and crypto off-ramp API, ${stage.name}`,
      ...(environment && { env: environment }),
      // The local AWS knows no roles of a bootstrapped account that the CLI could take on.
      ...(stage.name === 'local' && { synthesizer: new CliCredentialsStackSynthesizer() }),
    });
    const tables = createTables(this, stage);
    const surroundings: FunctionSurroundings = { stage, bundles, tables };
    const tokenKey = signingKey(this, 'AccessTokenKey', KeySpec.ECC_NIST_P256, stage);
    const custodianKey = signingKey(this, 'SimulatedCustodianKey', KeySpec.RSA_2048, stage);
    const webhookKey = encryptionKey(this, 'WebhookSecretsKey', stage);
    const railKey = signingKey(this, 'SimulatedRailKey', KeySpec.RSA_2048, stage);
    const verification = new DepositVerification(this, 'Verification', surroundings);
    const bus = new ServiceBus(this, 'EventBus', stage);
    new EventPublication(this, 'Publication', surroundings, bus);
    const deliveries = new WebhookDeliveries(this, 'Deliveries', surroundings, { bus, secretsKey: webhookKey });
    const detection = new DepositDetection(this, 'Detection', surroundings);
    new ParameterLists(this, 'Parameters', surroundings);
    new PayinSettlement(this, 'PayinSettlement', surroundings);
    new StatusChanges(this, 'StatusChanges', surroundings, bus);
    if (stage.hasSandbox) new SimulatedPayouts(this, 'SimulatedPayouts', surroundings, bus);

    const knowTokens = (fn: ServiceFunction) =>
      fn
        .setting('TOKEN_ISSUER', `payin-offramp/${stage.name}`)
        .setting('TOKEN_AUDIENCE', `payin-offramp/${stage.name}/api`);
    const authorizeRequest = knowTokens(
      new ServiceFunction(this, surroundings, {
        folder: 'access/authorize-request',
        memoryMegabytes: 512,
        timeoutSeconds: 10,
        clientsLose: 'Clients are refused on every route that needs an access token.',
        faultCode: 'AUTHORIZER_FAILED',
        concurrencyGroup: 'authorizer',
      }),
    ).useKey('TOKEN_KEY_ID', tokenKey, 'kms:GetPublicKey');
    const authorizer = new TokenAuthorizer(this, 'Authorizer', {
      handler: authorizeRequest.lambda,
      identitySource: IdentitySource.header('Authorization'),
      validationRegex: BEARER_TOKEN.source,
      resultsCacheTtl: Duration.minutes(5),
    });

    const logging = new ApiLogging(this, 'ApiLogging');
    const apis = {
      clients: new HttpApi(this, 'Clients', {
        stage,
        description: 'What clients call',
        logging,
        authorizer,
        domains: { admin: domains?.admin, api: domains?.api },
        isGuarded: true,
        routeThrottling: throttlingOf('clients'),
      }),
      providers: new HttpApi(this, 'Providers', {
        stage,
        description: 'What providers notify',
        logging,
        domains: { providers: domains?.providers },
        isGuarded: false,
        routeThrottling: throttlingOf('providers'),
      }),
    };
    const provide: Record<Need, (fn: ServiceFunction) => void> = {
      'sign access tokens': (fn) => knowTokens(fn).useKey('TOKEN_KEY_ID', tokenKey, 'kms:Sign'),
      'verify custodian notifications': (fn) => fn.useKey('CUSTODIAN_KEY_ID', custodianKey, 'kms:GetPublicKey'),
      'sign custodian notifications': (fn) =>
        fn
          .useKey('CUSTODIAN_KEY_ID', custodianKey, 'kms:Sign')
          .setting(
            'CUSTODIAN_NOTIFICATIONS_URL',
            `${innerUrl(stage, apis.providers)}${receiveCustodianNotification.path}`,
          ),
      'verify rail notifications': (fn) => fn.useKey('RAIL_KEY_ID', railKey, 'kms:GetPublicKey'),
      'sign rail notifications': (fn) =>
        fn
          .useKey('RAIL_KEY_ID', railKey, 'kms:Sign')
          .setting('RAIL_NOTIFICATIONS_URL', `${innerUrl(stage, apis.providers)}${receiveRailNotification.path}`),
      'start verifications': (fn) => allowStarting(fn, verification.stateMachine, stage),
      'queue notified transfers': (fn) => detection.allowQueueing(fn),
      'put events on the bus': (fn) => bus.allowPutting(fn, COMPLIANCE, PAYOUTS),
      'put events of compliance on the bus': (fn) => bus.allowPutting(fn, COMPLIANCE),
      'know the networks': (fn) => fn.setting('NETWORK_RULES', JSON.stringify(stage.networkRules)),
      'know the custodian': (fn) => fn.setting('CREATES_WITHDRAWALS', String(canHonour(stage, 'custodian'))),
      'know the window': (fn) => fn.setting('WINDOW_SECONDS', String(stage.windowSeconds)),
      'know the late window': (fn) => fn.setting('LATE_WINDOW_SECONDS', String(stage.lateWindowSeconds)),
      'know the payin rules': (fn) =>
        fn
          .setting('PAYIN_BOUNDS', JSON.stringify(stage.payinBounds))
          .setting('CREATES_PAYINS', String(canHonour(stage, 'rail')))
          .setting('ALLOWS_HTTP_REDIRECT', String(stage.name !== 'prod')),
      'encrypt webhook secrets': (fn) => fn.useKey('WEBHOOK_SECRETS_KEY_ID', webhookKey, 'kms:Encrypt'),
      'decrypt webhook secrets': (fn) => fn.useKey('WEBHOOK_SECRETS_KEY_ID', webhookKey, 'kms:Decrypt'),
      'queue deliveries': (fn) => deliveries.allowRetrying(fn),
      'queue replays': (fn) => deliveries.allowReplaying(fn),
      'know where webhooks may point': (fn) =>
        fn.setting('WEBHOOKS_TO_THIS_MACHINE', String(stage.webhooksToThisMachine)),
    };
    const routesLog = new ServiceLog(this, 'RoutesLog', stage);
    routesLog.alarm(
      'Failures',
      { lines: ERROR_LINES, metricName: 'routes error lines' },
      'A route fails, and clients lose what it is for. Look at the lines of level ERROR in the log of the routes: route names the function, whose description says what clients lose.',
    );
    routesLog.alarm(
      'Reported',
      { lines: REPORTED_LINES, metricName: 'routes reported lines' },
      'A payment or deposit of a client does not fit what is known of it, and waits for somebody. Look at the lines of level ERROR in the log of the routes whose code is not REQUEST_FAILED.',
      true,
    );
    for (const endpoint of [...endpoints, ...(stage.hasSandbox ? sandboxEndpoints : [])]) {
      const served = new ServiceFunction(this, surroundings, {
        ...endpoint,
        memoryMegabytes: 512,
        timeoutSeconds: 25,
        log: routesLog,
      });
      for (const need of endpoint.needs) provide[need](served);
      for (const contract of [endpoint.contract, ...(endpoint.alsoServes ?? [])]) {
        apis[endpoint.api].serve(contract, served);
      }
    }

    if (stage.hasDefaultEndpoint) {
      new CfnOutput(this, 'ClientsApiUrl', { value: innerUrl(stage, apis.clients) });
      new CfnOutput(this, 'ProvidersApiUrl', { value: innerUrl(stage, apis.providers) });
    }
    new CfnOutput(this, 'StateMachineArn', { value: verification.stateMachine.stateMachineArn });
    new CfnOutput(this, 'EventBusName', { value: bus.eventBusName });
    for (const { name, table } of tables) new CfnOutput(this, `${name}Table`, { value: table.tableName });
    tagEverything(this, stage);
    if (stage.settings.alarmTopicArn !== undefined) callPeople(this, stage.settings.alarmTopicArn);
  }
}

/** Limits of single routes of an API, as `{path}/{METHOD}`. */
function throttlingOf(which: Endpoint['api']) {
  return Object.fromEntries(
    endpoints.flatMap(({ api, contract, throttling }) =>
      api === which && throttling
        ? methodsAndPathsOf(contract).map(({ method, path }) => [`${path}/${method}`, throttling] as const)
        : [],
    ),
  );
}

/** An API's address without the deployment in it, on which the functions behind the API could not depend. */
function innerUrl(stage: Stage, { restApi }: HttpApi): string {
  const { region, urlSuffix } = Stack.of(restApi);
  return stage.localEndpoint === undefined
    ? `https://${restApi.restApiId}.execute-api.${region}.${urlSuffix}/${stage.name}`
    : `${stage.localEndpoint}/restapis/${restApi.restApiId}/${stage.name}/_user_request_`;
}
