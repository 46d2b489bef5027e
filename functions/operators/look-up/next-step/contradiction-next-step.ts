import { standingOf } from '#shared/off-ramps/model/contradictions.ts';
import type { Contradiction, OffRamp } from '#shared/off-ramps/model/off-ramp.ts';
import type { NextStep } from '#shared/operators/next-step.ts';

/** What a person has to find out of an off-ramp while something stands that contradicts its status. */
export function contradictionNextStep(operation: OffRamp): NextStep | undefined {
  const { operationId, status, sequence, contradictedSince } = operation;
  if (contradictedSince === undefined) return undefined;
  const said = new Set(standingOf(operation).map((one) => inWords(operation, one)));
  return {
    who: 'FINANCE',
    what: `${[...said].join('; ')}${said.size === 0 ? 'More was said than is kept' : ''}, and it is ${status}. Finds out whether the user has the money, and gives nothing back before; then: resolve-contradiction ${operationId} paid ${sequence}, or not-paid ${sequence}.`,
  };
}

function inWords({ status }: OffRamp, { status: said, source, payout }: Contradiction): string {
  const which = payout?.reference === undefined ? '' : ` (${payout.reference})`;
  switch (said) {
    case 'COMPLETED':
      return `Payouts says that it was paid${status === 'COMPLETED' ? ' a second time' : ''}${which}`;
    case 'PAYOUT_RETURNED':
      return `Payouts says that the payout came back${which}`;
    case 'CANCELLED':
      return `${source} says that it was cancelled after it was paid out`;
    case 'FAILED':
      return `${source} says that it failed after it was paid out`;
  }
}
