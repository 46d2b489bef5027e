import type { CallSummary } from '#shared/webhooks/model/webhook-health.ts';

/** How calls of an endpoint end: it takes the event, refuses it, or does not answer in time. */
export const TAKEN: CallSummary = { statusCode: 200, durationMs: 30 };
export const REFUSED: CallSummary = { statusCode: 500, durationMs: 30 };
export const HUNG: CallSummary = { error: 'TIMEOUT', durationMs: 15_000 };
