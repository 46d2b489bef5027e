import type { MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { ASSETS_NOT_SERVED } from '#infra/off-ramps/custodian-alarms.ts';
import {
  DECLINED_METRIC,
  ERROR_LINES,
  FAILURES_BY_FUNCTION_METRIC,
  linesWithCode,
  REPORTED_LINES,
  ServiceLog,
} from '#infra/platform/service-log.ts';
import type { Stage } from '#infra/stage/stages.ts';

/** The log of all routes; every line names its route. */
export function createRoutesLog(scope: Construct, stage: Stage): ServiceLog {
  const log = new ServiceLog(scope, 'RoutesLog', stage);
  log.alarm(
    'Failures',
    { lines: ERROR_LINES, metricName: 'routes error lines' },
    {
      description:
        'A route fails, and clients lose its function. Look at the lines of level ERROR in the log of the routes: route names the function, whose description says what clients lose.',
      runbook: 'a-route-fails',
    },
  );
  log.alarm(
    'Reported',
    { lines: REPORTED_LINES, metricName: 'routes reported lines' },
    {
      description:
        'A payment or deposit of a client does not match its order, and waits for a person. Look at the lines of level ERROR in the log of the routes whose code is not REQUEST_FAILED.',
      runbook: 'money-waits-for-a-person',
      callsPeople: true,
    },
  );
  log.alarm(
    'ManyRefused',
    { lines: linesWithCode('MANY_REPORTS_REFUSED'), metricName: 'clients with many refused reports' },
    {
      description:
        'A client reported more than 100 hashes in an hour that are declared for, or have funded, another off-ramp: it may be probing. Look at the lines MANY_REPORTS_REFUSED in the log of the routes, which name the client.',
      runbook: 'a-client-may-be-probing',
    },
  );
  log.alarm(
    'LimitsUsed',
    { lines: linesWithCode('DAILY_LIMIT_USED'), metricName: 'daily limits used' },
    {
      description:
        'A client has used 80 % or all of a daily limit. Look at the lines DAILY_LIMIT_USED in the log of the routes: they name the client (clientId), the limit and the percent.',
      runbook: 'a-client-uses-up-its-limits',
    },
  );
  log.count('NotServed', ASSETS_NOT_SERVED);
  log.count('FailuresByFunction', {
    lines: linesWithCode('REQUEST_FAILED'),
    metricName: FAILURES_BY_FUNCTION_METRIC,
    by: { Route: '$.message.route' },
  });
  return log;
}

export function countDeclined(log: ServiceLog): MetricFilter {
  return log.count('Declined', {
    lines: linesWithCode('REQUEST_DECLINED'),
    metricName: DECLINED_METRIC,
    countsZeros: true,
  });
}
