import type { CallSummary } from '#shared/webhooks/model/webhook-health.ts';

/** How calls of an endpoint end: it takes the event, refuses it, or does not answer in time. */
export const ACCEPTED_CALL: CallSummary = { statusCode: 200, durationMs: 30 };
export const REFUSED_CALL: CallSummary = { statusCode: 500, durationMs: 30 };
export const TIMED_OUT_CALL: CallSummary = { error: 'TIMEOUT', durationMs: 15_000 };
