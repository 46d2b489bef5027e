import type { ServiceFunction } from './service-function.ts';
import { linesWith } from './service-log.ts';

/** Somebody is called at once for money that nobody knows of, and for a difference that is a day old. */
export function alarmOnBooks({ log, folder }: ServiceFunction): void {
  log.alarm(
    'DoNotBalance',
    {
      lines: linesWith('BOOKS_DO_NOT_BALANCE', 'BOOKS_LATE', 'MONEY_WENT_OUT', 'DEPOSIT_MISSING'),
      metricName: `${folder} differences`,
    },
    {
      description: `What a provider lists does not agree with our records: money may be missing, or sent by somebody else. Look at the lines of level ERROR in the log of ${folder}, and at the differences of: ops books --day <day>.`,
      runbook: 'the-books-do-not-balance',
      callsPeople: true,
    },
  );
}
