import { standingOf } from '#shared/off-ramps/model/contradictions.ts';
import type { Contradiction, OffRamp } from '#shared/off-ramps/model/off-ramp.ts';
import type { NextStep } from '#shared/operators/next-step.ts';

/** What a person has to find out while a contradiction is open. */
export function contradictionNextStep(operation: OffRamp): NextStep | undefined {
  const { operationId, status, sequence, contradictedSince } = operation;
  if (contradictedSince === undefined) return undefined;
  const said = new Set(standingOf(operation).map((one) => inWords(operation, one)));
  return {
    who: 'FINANCE',
    what: `${[...said].join('; ')}${said.size === 0 ? 'More contradictions were sent than are kept' : ''}, and it is ${status}. Finds out whether the user has the money, and returns nothing before that; then: resolve-contradiction ${operationId} paid ${sequence}, or not-paid ${sequence}.`,
  };
}

function inWords({ status }: OffRamp, { status: said, source, payout }: Contradiction): string {
  const which = payout?.reference === undefined ? '' : ` (${payout.reference})`;
  switch (said) {
    case 'COMPLETED':
      return `Payouts reports that it was paid${status === 'COMPLETED' ? ' a second time' : ''}${which}`;
    case 'PAYOUT_RETURNED':
      return `Payouts reports that the payout came back${which}`;
    case 'CANCELLED':
      return `${source} reports a cancellation after the payout`;
    case 'FAILED':
      return `${source} reports a failure after the payout`;
  }
}
