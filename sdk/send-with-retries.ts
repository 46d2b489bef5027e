import { type HttpAnswer, problemIn } from './api-problem.ts';
import type { Clock } from './clock.ts';

const TRIES = 4;
const FIRST_PAUSE = 250;
/** Milliseconds. When the service asks for a longer pause, the caller decides whether to wait. */
const LONGEST_PAUSE = 60_000;

type Send = () => Promise<HttpAnswer>;
type Outcome = { readonly answer: HttpAnswer } | { readonly failure: unknown };

/**
 * Sends a request until the service has decided on it, at most four times, with growing, jittered pauses that are never
 * shorter than the service asks for. Returns or throws what the last try did.
 *
 * @param isRepeatable true if the request may take effect twice; if not, it is repeated only if the service has done
 * nothing
 */
export async function sendWithRetries(send: Send, isRepeatable: boolean, clock: Clock): Promise<HttpAnswer> {
  for (let tries = 1; ; tries += 1) {
    const outcome = await outcomeOf(send);
    const pause = tries < TRIES ? pauseAfter(outcome, isRepeatable, tries, clock) : undefined;
    if (pause === undefined) {
      if ('answer' in outcome) return outcome.answer;
      throw outcome.failure;
    }
    await clock.sleep(pause);
  }
}

async function outcomeOf(send: Send): Promise<Outcome> {
  try {
    return { answer: await send() };
  } catch (failure) {
    return { failure };
  }
}

/** Milliseconds until the next try; `undefined` when another one cannot help, or the caller has to decide. */
function pauseAfter(outcome: Outcome, isRepeatable: boolean, tries: number, clock: Clock): number | undefined {
  const isRefusedUnseen = 'answer' in outcome && isUndone(outcome.answer);
  const isWorthwhile = 'answer' in outcome ? isUndecided(outcome.answer) : isLost(outcome.failure);
  if (!(isRefusedUnseen || (isRepeatable && isWorthwhile))) return undefined;
  const asked = 'answer' in outcome ? pauseAskedFor(outcome.answer, clock.now()) : 0;
  return asked > LONGEST_PAUSE ? undefined : asked + FIRST_PAUSE * 2 ** (tries - 1) * (0.5 + clock.random());
}

/** True if the service says that it has done nothing. */
function isUndone(answer: HttpAnswer): boolean {
  return answer.status === 429 || (answer.status === 409 && problemIn(answer)?.code === 'CONCURRENT_CHANGE');
}

/**
 * True if the outcome is open. A 502 of the service is a rejection by its payment rail; a 502 without a problem is from
 * a proxy that did not reach the service.
 */
function isUndecided(answer: HttpAnswer): boolean {
  if (answer.status === 502) return problemIn(answer) === undefined;
  if (answer.status === 409) return problemIn(answer)?.code === 'IDEMPOTENCY_IN_PROGRESS';
  return [500, 503, 504].includes(answer.status);
}

/** True for the errors that `fetch` throws when there is no answer, or none in time. */
function isLost(failure: unknown): boolean {
  return failure instanceof TypeError || (failure instanceof DOMException && failure.name === 'TimeoutError');
}

/** The requested pause in milliseconds. The service gives seconds; a proxy may give the time (RFC 9110). */
function pauseAskedFor({ headers }: HttpAnswer, now: Date): number {
  const asked = headers.get('retry-after') ?? '';
  if (/^\d+$/.test(asked)) return Number(asked) * 1000;
  const until = Date.parse(asked);
  return Number.isNaN(until) ? 0 : Math.max(0, until - now.getTime());
}
