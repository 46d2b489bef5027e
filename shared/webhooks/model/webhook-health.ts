import * as z from 'zod/mini';
import { instant } from '#shared/platform/http/fields.ts';
import { callError, type Delivery, type DeliveryAttempt, isManualAttempt } from './delivery.ts';
import { isSuccess } from './delivery-outcome.ts';
import { missedAfterPause, pausedSince, webhookPause } from './webhook.ts';

/**
 * The part of a webhook's health that says whether its calls are answered. A change by the client does not reset it:
 * only a call shows whether the endpoint answers now.
 */
const webhookHanging = z.object({
  /** Whether the last call timed out, or none was ever answered; absent before the first call. */
  timedOut: z.optional(z.boolean()),
  /** When a call last hung. */
  hungAt: z.optional(instant),
});

export type HangHistory = Readonly<z.infer<typeof webhookHanging>>;

/**
 * Decides which slots a webhook may take (decisions.md 7, A client's own endpoints). An endpoint that has answered
 * since it hung may hang again.
 */
export type Responsiveness = 'UNKNOWN' | 'ANSWERS' | 'ANSWERS_AGAIN' | 'HANGS';

/** Milliseconds without an answer after which a call has hung, however it ended: the time limit for connecting. */
const HANGING = 5000;

/** Milliseconds for which an endpoint has to answer after a call that hung, to count as one that answers. */
const STEADY_AFTER = 10 * 60_000;

export function responsivenessOf({ timedOut, hungAt }: HangHistory, now: Date): Responsiveness {
  if (timedOut === undefined) return 'UNKNOWN';
  if (timedOut) return 'HANGS';
  return hungAt !== undefined && now.getTime() - Date.parse(hungAt) < STEADY_AFTER ? 'ANSWERS_AGAIN' : 'ANSWERS';
}

/** The part of a call's result that its webhook's health depends on. */
export type CallSummary = Pick<DeliveryAttempt, 'statusCode' | 'error' | 'durationMs'>;

/** A call that failed at once, as during a restart of the endpoint, does not show that it hangs. */
function hangingAfter(
  { statusCode, error, durationMs }: CallSummary,
  { timedOut, hungAt }: HangHistory,
  now: Date,
): HangHistory {
  if (statusCode !== undefined) return { timedOut: false, hungAt };
  if (error === 'TIMEOUT' || durationMs >= HANGING) return { timedOut: true, hungAt: now.toISOString() };
  return { timedOut: timedOut ?? true, hungAt };
}

/** Results of a webhook's calls since the last success (decisions.md 7, Isolation). Written only on a change. */
export const webhookHealth = z.object({
  /** The `sequence` of the webhook's configuration that this health is about. */
  configuration: z.int(),
  /** Failures in a row. */
  failures: z.int(),
  parkedUntil: z.optional(instant),
  /** How long the circuit is open, or was open the last time. */
  parkMinutes: z.optional(z.number()),
  /** Token of the latest probe; while it runs, all other attempts wait. */
  probe: z.optional(z.string()),
  /** The first failure since the last success, and the latest. */
  failingSince: z.optional(instant),
  lastFailureAt: z.optional(instant),
  /** The latest failure: the status of the answer, or why there was no answer. */
  lastStatusCode: z.optional(z.int()),
  lastError: z.optional(callError),
  ...webhookHanging.shape,
  ...webhookPause.shape,
});

export type WebhookHealth = Readonly<z.infer<typeof webhookHealth>>;

/**
 * Closed: calls are made. Open: no calls until the given time. Half open: one call, the probe, shows whether it can be
 * closed.
 */
export type Circuit = (
  | { readonly state: 'CLOSED' }
  /** No attempt is made until this time, which is over if it is half open. */
  | { readonly state: 'OPEN' | 'HALF_OPEN'; readonly until: string }
) & {
  /** Events from this time on are not delivered until a call succeeds. */
  readonly pausedAt?: string;
};

/** What a failure leads to: an alert, or the deactivation of the webhook. */
export type HealthFinding = 'PAUSED' | 'FAILING_FOR_GOOD';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const FAILURES_THAT_OPEN = 5;
const LONGEST_OPEN_MINUTES = 30;

/** Milliseconds after which the function that makes a probe has been stopped, so that another probe may start. */
const PROBE = 30 * SECOND;

/** Deactivates a webhook that fails for `lasting`, if its failures span `apart`: one bad night is not enough. */
const FAILING_FOR_GOOD = { lasting: 120 * HOUR, apart: 12 * HOUR };

export function freshHealth(configuration: number, { timedOut, hungAt }: HangHistory = {}): WebhookHealth {
  return {
    configuration,
    failures: 0,
    ...(timedOut !== undefined && { timedOut }),
    ...(hungAt !== undefined && { hungAt }),
  };
}

/** @param configuration the `sequence` of the webhook as it was read: a change of it clears the failures. */
export function circuitOf(health: WebhookHealth, configuration: number, now: Date): Circuit {
  const since = pausedSince(currentHealth(health, configuration, now), now);
  return { ...circuitWithoutPause(health, configuration, now), ...(since !== undefined && { pausedAt: since }) };
}

/** The health of a half-open circuit while the probe with this token is under way. */
export function healthWhileProbing(
  health: WebhookHealth,
  configuration: number,
  token: string,
  now: Date,
): WebhookHealth {
  return { ...currentHealth(health, configuration, now), probe: token, parkedUntil: later(now, PROBE) };
}

/**
 * The health after the client has closed the circuit; `undefined` when it is not open. The failures stay on record: the
 * next one opens the circuit again, for twice as long as before.
 */
export function healthAfterClientClose(
  health: WebhookHealth,
  configuration: number,
  now: Date,
): WebhookHealth | undefined {
  if (circuitOf(health, configuration, now).state !== 'OPEN') return undefined;
  return { ...health, failures: FAILURES_THAT_OPEN - 1, parkedUntil: undefined, probe: undefined };
}

interface Result {
  readonly token: string;
  readonly call: CallSummary;
  readonly now: Date;
  /** The `sequence` of the webhook that was called: the result says nothing about a later configuration. */
  readonly configuration: number;
}

/**
 * Applies the result of a call. No `health` means that nothing has changed, for example after one success following
 * another.
 */
export function healthAfterCall(
  health: WebhookHealth,
  { token, call, now, configuration }: Result,
): { readonly health?: WebhookHealth; readonly finding?: HealthFinding } {
  if (configuration < health.configuration) return {};
  const hanging = hangingAfter(call, health, now);
  const hasChanged = hanging.timedOut !== health.timedOut;
  if (isSuccess(call.statusCode)) {
    const arrived = { ...freshHealth(configuration, hanging), ...missedAfterPause(health, now) };
    return health.failures === 0 && !hasChanged ? {} : { health: arrived };
  }
  const current = currentHealth(health, configuration, now);
  // Failures of calls that were under way when the circuit opened belong to the same outage, and do not double its time.
  if (circuitOf(current, configuration, now).state === 'OPEN' && current.probe !== token) {
    return hasChanged ? { health: { ...current, ...hanging } } : {};
  }
  const finding = findingOf(current, now);
  const failed: WebhookHealth = {
    configuration,
    failures: current.failures + 1,
    ...openingAfter(current, now),
    missed: current.missed,
    probedAt: current.probedAt,
    failingSince: current.failingSince ?? now.toISOString(),
    lastFailureAt: now.toISOString(),
    lastStatusCode: call.statusCode,
    lastError: call.error,
    ...hanging,
  };
  return finding === undefined ? { health: failed } : { health: failed, finding };
}

/** The latest failure in short: `503`, `TIMEOUT`. */
export function lastErrorOf({ lastStatusCode, lastError }: WebhookHealth): string | undefined {
  return lastError ?? lastStatusCode?.toString();
}

/**
 * Returns the health without its failures if the client has changed the webhook since; a change ends a pause, like a
 * successful call. A call that read the webhook before the change neither restores old failures nor removes new ones.
 */
export function currentHealth(health: WebhookHealth, configuration: number, now: Date): WebhookHealth {
  if (configuration <= health.configuration) return health;
  return { ...freshHealth(configuration, health), ...missedAfterPause(health, now) };
}

function openingAfter({ failures, parkMinutes, openSince }: WebhookHealth, now: Date) {
  if (failures + 1 < FAILURES_THAT_OPEN) return {};
  const minutes = parkMinutes === undefined ? 1 : Math.min(2 * parkMinutes, LONGEST_OPEN_MINUTES);
  return { parkedUntil: later(now, minutes * MINUTE), parkMinutes: minutes, openSince: openSince ?? now.toISOString() };
}

function findingOf(health: WebhookHealth, now: Date): HealthFinding | undefined {
  const { failingSince, lastFailureAt } = health;
  if (failingSince === undefined || lastFailureAt === undefined) return undefined;
  const lasting = now.getTime() - Date.parse(failingSince);
  const apart = Date.parse(lastFailureAt) - Date.parse(failingSince);
  if (lasting >= FAILING_FOR_GOOD.lasting && apart >= FAILING_FOR_GOOD.apart) return 'FAILING_FOR_GOOD';
  const since = pausedSince(health, now);
  return since !== undefined && lastFailureAt < since ? 'PAUSED' : undefined;
}

function later(now: Date, milliseconds: number): string {
  return new Date(now.getTime() + milliseconds).toISOString();
}

/** The part of a webhook's health that says whether it is parked; a list of deliveries reads only this part. */
export const parking = z.object({ configuration: z.int(), parkedUntil: z.optional(instant) });

/**
 * The circuit without its pause.
 *
 * @param sequence of the webhook as it was read: that of a webhook changed since the health was written is closed
 */
export function circuitWithoutPause(
  { configuration, parkedUntil }: z.infer<typeof parking>,
  sequence: number,
  now: Date,
): Circuit {
  if (parkedUntil === undefined || configuration < sequence) return { state: 'CLOSED' };
  return { state: Date.parse(parkedUntil) > now.getTime() ? 'OPEN' : 'HALF_OPEN', until: parkedUntil };
}

/**
 * The delivery with the true time of its next attempt: not before its webhook's circuit is half open, unless the client
 * requested this attempt.
 */
export function withDueTime(delivery: Delivery, circuit: Circuit = { state: 'CLOSED' }): Delivery {
  const { nextAttemptAt } = delivery;
  if (nextAttemptAt === undefined || circuit.state === 'CLOSED' || isManualAttempt(delivery)) return delivery;
  return { ...delivery, nextAttemptAt: circuit.until > nextAttemptAt ? circuit.until : nextAttemptAt };
}
