/** How the calls of one webhook go: the slots they hold and the failures since the last success (decisions.md 7, Isolation). */
export interface WebhookHealth {
  /** The `sequence` of the webhook that this is about. */
  readonly configuration: number;
  /** Slots in use; one whose holder died frees itself. */
  readonly leases: readonly { readonly token: string; readonly until: string }[];
  /** In a row. */
  readonly failures: number;
  readonly parkedUntil?: string | undefined;
  /** How long the latest parking is, or was. */
  readonly parkMinutes?: number | undefined;
  /** The first failure since the last success, and the latest. */
  readonly failingSince?: string | undefined;
  readonly lastFailureAt?: string | undefined;
}

export type Admission =
  | { readonly state: 'ADMITTED'; readonly health: WebhookHealth }
  | { readonly state: 'BUSY' }
  | { readonly state: 'PARKED'; readonly until: string };

/** What a failure brought to light: to be told to somebody, or to end in the deactivation of the webhook. */
export type Finding = 'FAILING_FOR_A_DAY' | 'FAILING_FOR_GOOD';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Longer than any call can take. */
const LEASE = 60 * SECOND;
const FAILURES_THAT_PARK = 5;
const LONGEST_PARK_MINUTES = 30;

/** One bad night is no reason to deactivate a webhook: the failures have to last, and to lie this far apart. */
const FAILING_FOR_GOOD = { lasting: 120 * HOUR, apart: 12 * HOUR };
const A_DAY = 24 * HOUR;

export function healthOf(configuration: number): WebhookHealth {
  return { configuration, leases: [], failures: 0 };
}

/**
 * Asks for a slot of the webhook. What its client has changed is judged afresh, but calls that still run keep their slots.
 *
 * @param ask.share the most slots that the webhook may hold; after five failures in a row it is one, for a probe
 * @param ask.configuration the `sequence` of the webhook as the asking call read it
 */
export function admit(
  health: WebhookHealth,
  ask: { readonly token: string; readonly now: Date; readonly share: number; readonly configuration: number },
): Admission {
  const { token, now, share, configuration } = ask;
  // A call that read the webhook before the change must not bring the old failures back, nor wipe the new ones.
  const current = configuration > health.configuration ? healthOf(configuration) : health;
  if (current.parkedUntil !== undefined && isAfter(current.parkedUntil, now)) {
    return { state: 'PARKED', until: current.parkedUntil };
  }
  const others = health.leases.filter((lease) => isAfter(lease.until, now) && lease.token !== token);
  if (others.length >= (current.failures >= FAILURES_THAT_PARK ? 1 : share)) return { state: 'BUSY' };
  const leases = [...others, { token, until: later(now, LEASE) }];
  return { state: 'ADMITTED', health: { ...current, leases } };
}

/**
 * Gives the slot back and counts how the call went.
 *
 * @param done.configuration of the webhook that was called. When the client has changed it meanwhile, the result says
 * nothing about the new one and does not count. Without it the result always counts.
 */
export function settle(
  health: WebhookHealth,
  done: {
    readonly token: string;
    readonly succeeded: boolean;
    readonly now: Date;
    readonly configuration?: number | undefined;
  },
): { readonly health: WebhookHealth; readonly finding?: Finding } {
  const { token, succeeded, now, configuration = health.configuration } = done;
  const released = release(health, token);
  if (configuration !== health.configuration) return { health: released };
  if (succeeded) return { health: { ...healthOf(health.configuration), leases: released.leases } };
  const finding = findingOf(health, now);
  const failed = {
    ...released,
    ...parkingAfter(health, now),
    failures: health.failures + 1,
    failingSince: health.failingSince ?? now.toISOString(),
    lastFailureAt: now.toISOString(),
  };
  return finding === undefined ? { health: failed } : { health: failed, finding };
}

/** Gives the slot back without a verdict on the endpoint. */
export function release(health: WebhookHealth, token: string): WebhookHealth {
  return { ...health, leases: health.leases.filter((lease) => lease.token !== token) };
}

/** Failures of calls that ran when the webhook was parked are the same outage, and do not double its time. */
function parkingAfter(health: WebhookHealth, now: Date): Pick<WebhookHealth, 'parkedUntil' | 'parkMinutes'> {
  const { failures, parkedUntil, parkMinutes } = health;
  const isParked = parkedUntil !== undefined && isAfter(parkedUntil, now);
  if (failures + 1 < FAILURES_THAT_PARK || isParked) return { parkedUntil, parkMinutes };
  const minutes = parkMinutes === undefined ? 1 : Math.min(2 * parkMinutes, LONGEST_PARK_MINUTES);
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

function isAfter(instant: string, now: Date): boolean {
  return Date.parse(instant) > now.getTime();
}
