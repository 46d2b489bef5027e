import { verificationStates as verifying } from '#shared/off-ramps/model/verification.ts';
import type { Machine } from './state-graph.ts';

/** The state machine of verifications, the same as the deployed one, which the page needs no permission to read. */
export const verificationMachine: Machine = {
  start: verifying.check,
  states: {
    [verifying.check]: { type: 'Task', next: [verifying.decide] },
    [verifying.decide]: {
      type: 'Choice',
      next: [verifying.verified, verifying.wait, verifying.windowEnded, verifying.superseded],
    },
    [verifying.wait]: { type: 'Wait', next: [verifying.check] },
    [verifying.verified]: { type: 'Succeed', next: [] },
    [verifying.windowEnded]: { type: 'Succeed', next: [] },
    [verifying.superseded]: { type: 'Succeed', next: [] },
  },
};
