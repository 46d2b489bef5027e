import { FilterPattern } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { ServiceFunction } from '#infra/platform/service-function.ts';
import { linesWith } from '#infra/platform/service-log.ts';
import type { Stage } from '#infra/stage/stages.ts';

/** Metrics of seconds: the field that has them, and in which lines of which functions. */
export const waits = {
  credit: {
    metricName: 'seconds from finality to credit',
    field: 'secondsToCredit',
    lines: { 'off-ramps/match-deposit': 'MESSAGE_HANDLED', 'off-ramps/check-deposit': 'CALL_DONE' },
  },
  payout: {
    metricName: 'seconds from credit to payout',
    field: 'secondsToPayout',
    lines: { 'off-ramps/apply-status-change': 'STATUS_CHANGED' },
  },
  firstCall: {
    metricName: 'seconds from event to first call',
    field: 'secondsToFirstCall',
    lines: { 'webhooks/deliver-webhook': 'MESSAGE_HANDLED' },
  },
} as const;

interface ObjectivesProps {
  readonly stage: Stage;
  /** The service, in whose stack there is no room for more. */
  readonly service: Construct;
}

/** What clients may expect, as docs/slo.md says it, measured by lines that functions write anyway. */
export class Objectives extends Construct {
  constructor(scope: Construct, id: string, { stage, service }: ObjectivesProps) {
    super(scope, id);
    // The local AWS makes no metrics of lines.
    if (stage.name === 'local') return;
    const functions = service.node.findAll().filter((one) => one instanceof ServiceFunction);
    for (const { metricName, field, lines } of Object.values(waits)) {
      for (const [folder, code] of Object.entries(lines)) {
        const writer = functions.find((one) => one.folder === folder);
        if (writer === undefined) throw new Error(`There is no function ${folder} to measure.`);
        const amount = `$.message.${field}`;
        // Other lines of the same work have the field, too.
        const measured = FilterPattern.all(linesWith(code), FilterPattern.numberValue(amount, '>=', 0));
        writer.log.count(`${writer.node.id}-${field}`, { lines: measured, metricName, amount }, this);
      }
    }
  }
}
