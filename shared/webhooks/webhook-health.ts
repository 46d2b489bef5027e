import * as z from 'zod/mini';
import { instant } from '#shared/platform/http/fields.ts';
import { callError, type DeliveryAttempt } from './delivery-attempt.ts';
import { hasArrived } from './delivery-outcome.ts';
import { openUntil } from './parking.ts';

/** How the calls of one webhook went since the last success (decisions.md 7, Isolation). Written only when that changes. */
export const webhookHealth = z.object({
  /** The `sequence` of the webhook that this is about. */
  configuration: z.int(),
  /** In a row. */
  failures: z.int(),
  parkedUntil: z.optional(instant),
  /** How long the circuit is open, or was open the last time. */
  parkMinutes: z.optional(z.number()),
  /** Token of the latest probe; while it runs, all other attempts wait. */
  probe: z.optional(z.string()),
  /** The first failure since the last success, and the latest. */
  failingSince: z.optional(instant),
  lastFailureAt: z.optional(instant),
  /** What the latest failure was: the status that was answered, or why there was no answer. */
  lastStatusCode: z.optional(z.int()),
  lastError: z.optional(callError),
  /** Whether the last call ran out of time, or none was ever answered; absent before the first. */
  timedOut: z.optional(z.boolean()),
  /** When a call has hung for the last time. */
  hungAt: z.optional(instant),
});

export type WebhookHealth = Readonly<z.infer<typeof webhookHealth>>;

/**
 * Closed: calls are made. Open: no calls until the given time. Half open: one call, the probe, shows whether it can be
 * closed.
 */
export type Circuit =
  | { readonly state: 'CLOSED' | 'HALF_OPEN' }
  /** No attempt is made until that time. */
  | { readonly state: 'OPEN'; readonly until: string };

/**
 * Which slots a webhook may take depends on it (decisions.md 7, A client's own endpoints). One that has answered since it
 * hung may hang again.
 */
export type Answering = 'UNKNOWN' | 'ANSWERS' | 'ANSWERS_AGAIN' | 'HANGS';

/** What a failure leads to: an alert, or the deactivation of the webhook. */
export type Finding = 'FAILING_FOR_A_DAY' | 'FAILING_FOR_GOOD';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Milliseconds. A call that got no answer for longer than a connection may take has hung, however it ended. */
const HANGING = 5 * SECOND;

/** Milliseconds for which an endpoint has to answer after a call that hung, to count as one that answers. */
const STEADY_AFTER = 10 * MINUTE;

const FAILURES_THAT_OPEN = 5;
const LONGEST_OPEN_MINUTES = 30;

/** After this time the function that makes a probe has been stopped, and another probe may be made. */
const PROBE = 30 * SECOND;

/** One bad night is no reason to deactivate a webhook: the failures have to last, and to lie this far apart. */
const FAILING_FOR_GOOD = { lasting: 120 * HOUR, apart: 12 * HOUR };
const A_DAY = 24 * HOUR;

/** Whether calls are answered, which outlasts what the client changes: only a call shows whether the endpoint does now. */
type Hanging = Pick<WebhookHealth, 'timedOut' | 'hungAt'>;

export function healthOf(configuration: number, { timedOut, hungAt }: Hanging = {}): WebhookHealth {
  return {
    configuration,
    failures: 0,
    ...(timedOut !== undefined && { timedOut }),
    ...(hungAt !== undefined && { hungAt }),
  };
}

export function answeringOf({ timedOut, hungAt }: Hanging, now: Date): Answering {
  if (timedOut === undefined) return 'UNKNOWN';
  if (timedOut) return 'HANGS';
  return hungAt !== undefined && now.getTime() - Date.parse(hungAt) < STEADY_AFTER ? 'ANSWERS_AGAIN' : 'ANSWERS';
}

/** @param configuration the `sequence` of the webhook as it was read: what its client has changed is judged afresh. */
export function circuitOf(health: WebhookHealth, configuration: number, now: Date): Circuit {
  const until = openUntil(health, configuration, now);
  if (until !== undefined) return { state: 'OPEN', until };
  return { state: judgedAt(health, configuration).failures >= FAILURES_THAT_OPEN ? 'HALF_OPEN' : 'CLOSED' };
}

/** The health of a half-open circuit while the probe of that token is under way. */
export function probing(health: WebhookHealth, configuration: number, token: string, now: Date): WebhookHealth {
  return { ...judgedAt(health, configuration), probe: token, parkedUntil: later(now, PROBE) };
}

/**
 * The health after the client has closed the circuit; `undefined` when it is not open. The failures stay on record: the
 * next one opens the circuit again, for twice as long as before.
 */
export function closedByClient(health: WebhookHealth, configuration: number, now: Date): WebhookHealth | undefined {
  if (circuitOf(health, configuration, now).state !== 'OPEN') return undefined;
  return { ...health, failures: FAILURES_THAT_OPEN - 1, parkedUntil: undefined, probe: undefined };
}

/** What a call shows of its webhook. */
export type Called = Pick<DeliveryAttempt, 'statusCode' | 'error' | 'durationMs'>;

interface Result {
  readonly token: string;
  readonly called: Called;
  readonly now: Date;
  /** The `sequence` of the webhook that was called: the result says nothing about a later configuration. */
  readonly configuration: number;
}

/**
 * Applies the result of a call. No `health` means that nothing has changed, for example after one success following
 * another.
 */
export function healthAfter(
  health: WebhookHealth,
  { token, called, now, configuration }: Result,
): { readonly health?: WebhookHealth; readonly finding?: Finding } {
  if (configuration < health.configuration) return {};
  const hanging = hangingAfter(called, health, now);
  const isNews = hanging.timedOut !== health.timedOut;
  if (hasArrived(called.statusCode)) {
    return health.failures === 0 && !isNews ? {} : { health: healthOf(configuration, hanging) };
  }
  const current = judgedAt(health, configuration);
  // Failures of calls that were under way when the circuit opened belong to the same outage, and do not double its time.
  if (circuitOf(current, configuration, now).state === 'OPEN' && current.probe !== token) {
    return isNews ? { health: { ...current, ...hanging } } : {};
  }
  const finding = findingOf(current, now);
  const failed: WebhookHealth = {
    configuration,
    failures: current.failures + 1,
    ...openingAfter(current, now),
    failingSince: current.failingSince ?? now.toISOString(),
    lastFailureAt: now.toISOString(),
    lastStatusCode: called.statusCode,
    lastError: called.error,
    ...hanging,
  };
  return finding === undefined ? { health: failed } : { health: failed, finding };
}

/** What the latest failure was, in a word: `503`, `TIMEOUT`. */
export function lastErrorOf({ lastStatusCode, lastError }: WebhookHealth): string | undefined {
  return lastError ?? lastStatusCode?.toString();
}

/**
 * A call that read the webhook before its client changed it must neither restore the old failures nor remove the new
 * ones.
 */
export function judgedAt(health: WebhookHealth, configuration: number): WebhookHealth {
  return configuration > health.configuration ? healthOf(configuration, health) : health;
}

/** A call that failed at once, as while an endpoint starts again, shows of none that has answered that it does not. */
function hangingAfter({ statusCode, error, durationMs }: Called, { timedOut, hungAt }: Hanging, now: Date): Hanging {
  if (statusCode !== undefined) return { timedOut: false, hungAt };
  if (error === 'TIMEOUT' || durationMs >= HANGING) return { timedOut: true, hungAt: now.toISOString() };
  return { timedOut: timedOut ?? true, hungAt };
}

function openingAfter({ failures, parkMinutes }: WebhookHealth, now: Date) {
  if (failures + 1 < FAILURES_THAT_OPEN) return {};
  const minutes = parkMinutes === undefined ? 1 : Math.min(2 * parkMinutes, LONGEST_OPEN_MINUTES);
  return { parkedUntil: later(now, minutes * MINUTE), parkMinutes: minutes };
}

function findingOf({ failingSince, lastFailureAt }: WebhookHealth, now: Date): Finding | undefined {
  if (failingSince === undefined || lastFailureAt === undefined) return undefined;
  const lasting = now.getTime() - Date.parse(failingSince);
  const apart = Date.parse(lastFailureAt) - Date.parse(failingSince);
  if (lasting >= FAILING_FOR_GOOD.lasting && apart >= FAILING_FOR_GOOD.apart) return 'FAILING_FOR_GOOD';
  return lasting >= A_DAY && apart < A_DAY ? 'FAILING_FOR_A_DAY' : undefined;
}

function later(now: Date, milliseconds: number): string {
  return new Date(now.getTime() + milliseconds).toISOString();
}
