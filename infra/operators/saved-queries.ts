import type { Stack } from 'aws-cdk-lib';
import { CfnQueryDefinition } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { ServiceFunction } from '#infra/platform/service-function.ts';
import { ServiceLog } from '#infra/platform/service-log.ts';
import type { Stage } from '#infra/stage/stages.ts';

interface Query {
  /** The logs of functions, or one log by its path below the stack of the service. */
  readonly over: 'functions' | 'RoutesLog' | 'Clients/AccessLog' | 'Providers/AccessLog';
  readonly lines: readonly string[];
}

/** Questions of docs/operations.md that only logs answer. Angle brackets mark the values to fill in. */
export const savedQueries: Readonly<Record<string, Query>> = {
  'all lines of an id': {
    over: 'functions',
    lines: [
      'fields @timestamp, message.code, @message',
      'filter @message like "<id>"',
      'sort @timestamp',
      'limit 1000',
    ],
  },
  'errors by code': {
    over: 'functions',
    lines: [
      'filter level = "ERROR"',
      'stats count(*), min(@timestamp), max(@timestamp), latest(message.cause) by message.code, message.route, @log',
    ],
  },
  'providers without an answer': {
    over: 'functions',
    lines: [
      'filter message.code in ["CUSTODIAN_UNAVAILABLE", "RAIL_UNAVAILABLE"]',
      'stats count(*), min(@timestamp), max(@timestamp) by message.code, message.cause',
    ],
  },
  'late deposits': {
    over: 'functions',
    lines: [
      'fields @timestamp, message.operationId, message.custodianTransferId, message.secondsToCredit',
      'filter message.code in ["MESSAGE_HANDLED", "CALL_DONE"] and message.secondsToCredit > 60',
      'sort message.secondsToCredit desc',
    ],
  },
  'late first calls': {
    over: 'functions',
    lines: [
      'filter message.code = "MESSAGE_HANDLED" and message.secondsToFirstCall > 60',
      'stats count(*), max(message.secondsToFirstCall) by message.clientId, message.webhookId',
    ],
  },
  'what a client did': {
    over: 'RoutesLog',
    lines: [
      'filter message.clientId = "<client-id>" and message.code in ["REQUEST_SERVED", "REQUEST_REFUSED"]',
      'stats count(*), min(@timestamp), max(@timestamp) by message.route, message.tokenId',
    ],
  },
  'declined calls': {
    over: 'RoutesLog',
    lines: ['filter message.code = "REQUEST_DECLINED"', 'stats count(*) by message.reason, message.clientId'],
  },
  'clients at their limits': {
    over: 'RoutesLog',
    lines: [
      'filter message.code in ["DAILY_LIMIT_USED", "MANY_REPORTS_REFUSED"]',
      'stats count(*), max(@timestamp) by message.code, message.clientId, message.limit',
    ],
  },
  'where a client calls from': {
    over: 'Clients/AccessLog',
    lines: [
      'filter clientId = "<client-id>"',
      'stats count(*), min(@timestamp), max(@timestamp) by sourceIp, certificateSubject, certificateSerial',
    ],
  },
  'failing calls by route': {
    over: 'Clients/AccessLog',
    lines: ['filter status like /^5/', 'stats count(*) by method, route, status, gatewayError, integrationStatus'],
  },
  'slow calls by route': {
    over: 'Clients/AccessLog',
    lines: ['stats count(*), pct(responseLatency, 50), pct(responseLatency, 99) by method, route'],
  },
  'refused calls by address': {
    over: 'Clients/AccessLog',
    lines: [
      'filter status in ["401", "403"]',
      'stats count(*) by sourceIp, certificateSubject, route, status, gatewayError',
    ],
  },
  'throttled notifications by address': {
    over: 'Providers/AccessLog',
    lines: ['filter status = "429"', 'stats count(*), min(@timestamp), max(@timestamp) by sourceIp, route'],
  },
};

/** Saved queries of CloudWatch Logs Insights: they name the logs to search, which have generated names. */
export class SavedQueries extends Construct {
  constructor(scope: Construct, id: string, { stage, service }: { readonly stage: Stage; readonly service: Stack }) {
    super(scope, id);
    // The local AWS has no page that shows queries.
    if (stage.name === 'local') return;
    const all = service.node.findAll();
    const ofFunctions = new Set(all.flatMap((one) => (one instanceof ServiceFunction ? [one.log] : [])));
    const logsOf = (over: Query['over']) =>
      over === 'functions'
        ? [...ofFunctions]
        : all.filter((one) => one instanceof ServiceLog && one.node.path === `${service.node.path}/${over}`);
    for (const [name, { over, lines }] of Object.entries(savedQueries)) {
      new CfnQueryDefinition(this, name.replaceAll(' ', '-'), {
        name: `${service.stackName}/${name}`,
        queryString: lines.join('\n| '),
        logGroupNames: logsOf(over).flatMap((log) => (log instanceof ServiceLog ? [log.logGroupName] : [])),
      });
    }
  }
}
