import * as z from 'zod/mini';
import type { HttpAnswer } from '#test/simulation/aws/gateway.ts';
import type { Outside } from '#test/simulation/world/outside.ts';
import { rememberCall } from '#test/simulation/world/remember-call.ts';
import type { ClientScript } from '#test/simulation/world/script/script.ts';

export interface ApiCall {
  readonly method: string;
  readonly path: string;
  /** JSON */
  readonly body?: object;
  readonly key?: string | undefined;
}

/** Calls the API for a client, with a token that is renewed when needed. */
export interface Session {
  readonly client: ClientScript;
  /** Returns the authorization header; `undefined` if the client got no token. */
  authorization(): Promise<string | undefined>;
  /** Calls once. */
  call(call: ApiCall): Promise<HttpAnswer | undefined>;
  /** Retries until an answer is an outcome; `undefined` or the last answer after six hours. */
  persist(call: ApiCall): Promise<HttpAnswer | undefined>;
  /** Its secret has ended; with the next one it goes on. */
  endSecret(next?: string): void;
}

/** Milliseconds for which a call is retried: longer than any outage. */
const PATIENCE = 6 * 3600_000;
const LONGEST_PAUSE = 600_000;

/** Milliseconds before the expiry at which a token is no longer used, or after it until which a stale one still is. */
const MARGIN = 20_000;

const accessToken = z.object({ access_token: z.string(), expires_in: z.int() });
const problem = z.object({ code: z.string() });

export function createSession(outside: Outside, client: ClientScript): Session {
  const { request, host, swarm } = outside;
  const { schedule, random } = host;
  const now = () => schedule.clock.now().getTime();
  let secret = client.secret;
  let endedAt = Number.POSITIVE_INFINITY;
  let token: { readonly text: string; readonly until: number } | undefined;

  async function authorization(): Promise<string | undefined> {
    if (token !== undefined && now() < token.until) return token.text;
    const hasEnded = now() > endedAt;
    const answer = await request({
      method: 'POST',
      path: '/api/token',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ client_id: client.clientId, client_secret: secret }),
    });
    if (answer?.status !== 200) return undefined;
    if (hasEnded) schedule.fail(new Error(`An ended secret of ${client.name} gives a token.`));
    const { access_token, expires_in } = accessToken.parse(JSON.parse(answer.body));
    const margin = random.chance(swarm.clients.staleToken) ? -MARGIN : MARGIN;
    token = { text: `Bearer ${access_token}`, until: now() + expires_in * 1000 - margin };
    return token.text;
  }

  async function call({ method, path, body, key }: ApiCall): Promise<HttpAnswer | undefined> {
    const bearer = await authorization();
    if (bearer === undefined) return undefined;
    const sent = {
      method,
      path,
      headers: {
        authorization: bearer,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(key !== undefined && { 'idempotency-key': key }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    };
    const answer = await rememberCall(outside, client.clientId, sent);
    if (answer?.status === 401) token = undefined;
    return answer;
  }

  return {
    client,
    authorization,
    call,
    endSecret(next) {
      endedAt = next === undefined ? now() : Number.POSITIVE_INFINITY;
      secret = next ?? secret;
    },
    async persist(wanted) {
      const until = now() + PATIENCE;
      for (let pause = 1000; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
        const answer = await call(wanted);
        if (answer !== undefined && isOutcome(answer)) return answer;
        if (now() > until) return answer;
        const asked = Number(answer?.headers['retry-after'] ?? 0) * 1000;
        await schedule.clock.sleep(Math.max(asked, Math.floor(pause * (0.5 + random.next()))));
      }
    },
  };
}

/** True if the same call would get the same answer again. */
export function isOutcome(answer: HttpAnswer): boolean {
  if (answer.status === 502) return codeOf(answer) === 'RAIL_REJECTED';
  return answer.status < 500 && ![401, 429].includes(answer.status) && codeOf(answer) !== 'IDEMPOTENCY_IN_PROGRESS';
}

/** Returns the code of a problem; empty for any other answer. */
export function codeOf({ status, body }: HttpAnswer): string {
  return status < 400 || body === '' ? '' : problem.parse(JSON.parse(body)).code;
}
