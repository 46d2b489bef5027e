import { type Check, type ExamCall, prepareExam } from './checks.ts';

/** Seconds for which the service waits for the answer of a webhook. */
const TIMEOUT_SECONDS = 15;

/** Bytes of an answer that are read; the rest is ignored. */
const MOST_ANSWER = 16 * 1024;

export interface Endpoint {
  readonly url: string;
  readonly secret: string;
  readonly method?: 'POST' | 'PUT';
  readonly timeoutSeconds?: number;
}

/** `finding`: what the endpoint did wrong, and what it has to do; absent when it did right. */
export interface Result {
  readonly name: string;
  readonly finding?: string;
}

type Answer = { readonly status: number } | { readonly failure: string };

/**
 * Calls an endpoint as the service would, and as others would, check by check.
 *
 * @param report receives each result as soon as it is known
 * @returns what a person still has to look at; `undefined` if the first call was not accepted, and no other was tried
 */
export async function examine(endpoint: Endpoint, report: (result: Result) => void): Promise<string | undefined> {
  const { checks, leftToSee } = prepareExam(endpoint.secret);
  for (const check of checks) {
    const finding = findingOf(check, await answersTo(check, endpoint), endpoint.timeoutSeconds ?? TIMEOUT_SECONDS);
    report({ name: check.name, ...(finding !== undefined && { finding }) });
    if (finding !== undefined && check === checks[0]) return undefined;
  }
  return leftToSee;
}

async function answersTo({ calls, atOnce }: Check, endpoint: Endpoint): Promise<readonly Answer[]> {
  if (atOnce) return Promise.all(calls.map((call) => send(call, endpoint)));
  const answers: Answer[] = [];
  for (const call of calls) answers.push(await send(call, endpoint));
  return answers;
}

async function send(call: ExamCall, { url, method = 'POST', timeoutSeconds }: Endpoint): Promise<Answer> {
  try {
    const { status, body } = await fetch(url, {
      method,
      headers: { 'content-type': 'application/json', ...call.headers },
      body: call.body,
      redirect: 'manual',
      signal: AbortSignal.timeout((timeoutSeconds ?? TIMEOUT_SECONDS) * 1000),
    });
    await readToItsEnd(body);
    return { status };
  } catch (error) {
    if (error instanceof DOMException && error.name === 'TimeoutError') return { failure: 'TIMEOUT' };
    const { cause }: { cause?: unknown } = error instanceof Error ? error : {};
    return { failure: cause instanceof Error ? cause.message || cause.name : String(error) };
  }
}

/** Reads an answer to its end, or to the limit, as the service does. An answer that does not end counts as none. */
async function readToItsEnd(body: Response['body']): Promise<void> {
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes >= MOST_ANSWER) return;
  }
}

/** The finding about the first wrong answer; `undefined` if all are right. */
function findingOf({ expected, advice }: Check, answers: readonly Answer[], timeout: number): string | undefined {
  const isRight = expected === 'ACCEPTED' ? isAccepted : isRefused;
  const wrong = answers.find((answer) => !isRight(answer));
  if (wrong === undefined) return undefined;
  if ('failure' in wrong) {
    return wrong.failure === 'TIMEOUT'
      ? `no complete answer within ${timeout} seconds. Store the event, answer 2xx, and process it afterwards.`
      : `no answer (${wrong.failure}). The endpoint has to listen at this address, and to answer each call.`;
  }
  return `answered ${wrong.status}. ${remarkOn(wrong.status)}${advice}`;
}

/** What the status means, for any call. */
function remarkOn(status: number): string {
  if (status >= 500) return 'That is an error of the endpoint: see its log. ';
  if (status === 410) return 'That deactivates the webhook. ';
  if (status === 404) return 'There may be nothing at this path. ';
  if (status === 405) return 'The endpoint has to take the method of the webhook, POST or PUT. ';
  return status >= 300 && status < 400 ? 'A redirect is never followed: give the webhook the final address. ' : '';
}

const isAccepted = (answer: Answer) => 'status' in answer && answer.status >= 200 && answer.status < 300;

/**
 * True for a status 4xx other than 410, which deactivates the webhook. A 5xx is an error of the endpoint, not a
 * refusal.
 */
const isRefused = (answer: Answer) =>
  'status' in answer && answer.status >= 400 && answer.status < 500 && answer.status !== 410;
