import { Duration } from 'aws-cdk-lib';
import type { SpecRestApi } from 'aws-cdk-lib/aws-apigateway';
import { MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { FailureAlarm } from '#infra/platform/failure-alarm.ts';
import type { ServiceLog } from '#infra/platform/service-log.ts';
import type { Stage } from '#infra/stage/stages.ts';
import { issueTokenContract } from '#shared/clients/access-token-contract.ts';
import { methodsAndPathsOf } from '#shared/platform/http/contract.ts';

/** The parts of an API that are measured. */
export interface MeasuredApi {
  readonly restApi: SpecRestApi;
  readonly accessLog: ServiceLog;
}

interface AccessProps {
  readonly stage: Stage;
  /** The API that clients call. */
  readonly clients: MeasuredApi;
}

const QUARTER = { period: Duration.minutes(15), statistic: 'Sum' } as const;

/** Calls of the canary in a quarter of an hour: they are always there, and say nothing about other clients. */
const CANARY = { tokens: 15, reads: 30 } as const;

/** Alarms on what keeps clients out without a failure of any function. */
export class AccessAlarms extends Construct {
  constructor(scope: Construct, id: string, { stage, clients }: AccessProps) {
    super(scope, id);
    // The local AWS makes no metrics of log lines.
    if (stage.name === 'local') return;
    this.#alarmOnRefusals(clients);
    for (const [name, { certificateArn }] of Object.entries(stage.settings.domains ?? {}))
      this.#alarmOnCertificate(name, certificateArn);
  }

  /** Alarms when fresh tokens are refused: clients do not all use wrong ones at the same time. */
  #alarmOnRefusals({ accessLog, restApi }: MeasuredApi): void {
    const routes = [...new Set(methodsAndPathsOf(issueTokenContract).map(({ path }) => path))];
    const status = (is: string) => FilterPattern.stringValue('$.status', '=', is);
    const issued = FilterPattern.all(
      FilterPattern.any(...routes.map((route) => FilterPattern.stringValue('$.route', '=', route))),
      status('200'),
    );
    const refused = FilterPattern.all(
      ...routes.map((route) => FilterPattern.stringValue('$.route', '!=', route)),
      FilterPattern.any(
        status('401'),
        // Without an error of the gateway, a function has answered, for example to a suspended client.
        FilterPattern.all(status('403'), FilterPattern.stringValue('$.gatewayError', '!=', '-')),
      ),
    );
    const count = (metricName: string, lines: typeof issued) =>
      accessLog.count(metricName.replaceAll(' ', '-'), { lines, metricName }, this).metric(QUARTER);
    new FailureAlarm(this, 'Refused', {
      description:
        'Clients get tokens, and at least 90 % of their calls are refused with 401 or 403. Look at the access log for gatewayError, certificateSubject and sourceIp of the refused calls, and at the log of authorize-request.',
      runbook: 'good-tokens-are-refused',
      metric: new MathExpression({
        expression: `(issued >= ${CANARY.tokens + 3}) AND (refused >= 10) AND (refused >= 0.9 * (calls - issued - ${CANARY.reads}))`,
        usingMetrics: {
          issued: count('tokens issued', issued),
          refused: count('calls refused', refused),
          calls: restApi.metricCount({ ...QUARTER, statistic: 'SampleCount' }),
        },
        period: QUARTER.period,
        label: 'good tokens are refused',
      }),
      callsPeople: true,
    });
  }

  #alarmOnCertificate(name: string, CertificateArn: string): void {
    // ACM writes the metric twice a day.
    const period = Duration.days(1);
    const days = new Metric({
      ...{ namespace: 'AWS/CertificateManager', metricName: 'DaysToExpiry', statistic: 'Minimum', period },
      dimensionsMap: { CertificateArn },
    });
    new FailureAlarm(this, `${name}Certificate`, {
      description: `The certificate of the domain for ${name} ends in less than 30 days, and then no client, provider or operator can connect. Look at the certificate in ACM: it says why it was not renewed.`,
      runbook: 'a-certificate-ends',
      metric: new MathExpression({
        expression: 'days < 30',
        usingMetrics: { days },
        period,
        label: 'less than 30 days',
      }),
    });
  }
}
