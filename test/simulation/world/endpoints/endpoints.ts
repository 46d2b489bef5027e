import type { CallResult, CallWebhook, WebhookCall } from '#shared/webhooks/http-client/call-webhook.ts';
import { createSsrfGuard, type GuardTarget } from '#shared/webhooks/http-client/ssrf-guard.ts';
import type { Host } from '#test/simulation/aws/host.ts';
import type { Receipt } from '#test/simulation/books/truth.ts';
import { hasValidSignature } from '#test/support/verify-webhook.ts';
import { type Manner, mannerAt, type Spell } from './behaviour.ts';

/** Probabilities of one call. */
export interface EndpointFaults {
  /** The endpoint takes the call, and its answer is lost. */
  readonly lostAnswer: number;
  /** The endpoint answers this call with 500. */
  readonly error: number;
  /** The answer takes seconds. */
  readonly slow: number;
}

/** The endpoint behind a client's webhook. */
export interface Endpoint {
  readonly url: string;
  readonly clientId: string;
  readonly spells: readonly Spell[];
}

export interface Endpoints {
  readonly callWebhook: CallWebhook;
  readonly guardUrl: GuardTarget;
  /** The calls that arrived, in order. */
  readonly receipts: readonly Receipt[];
  /** Tells the endpoint a secret: it and all earlier ones may sign calls to the address. */
  giveSecret(url: string, secret: string): void;
  /** The client requests a secret, and the answer may be lost: no signature is checked until the next `giveSecret`. */
  doubtSecret(url: string): void;
}

/** Milliseconds: the service's time-out, and the longest slow answer. */
const TIME_OUT = 15_000;
const LONGEST_ANSWER = 14_000;

/** A public address, which the guard allows. */
const ADDRESS = '198.41.0.4';
const INWARD = '10.0.0.1';

/** The secrets of a host that its client knows, and the milliseconds since 1970 from which it knows all of them. */
interface Secrets {
  readonly known: readonly string[];
  readonly knownFrom: number;
}

/** Milliseconds during which a call may still arrive that was signed with an earlier secret. */
const LONGEST_UNDER_WAY = 120_000;

/** All endpoints of all clients, behind the service's own guard. */
export function createEndpoints(
  { schedule, random, trace }: Host,
  endpoints: readonly Endpoint[],
  faults: EndpointFaults,
): Endpoints {
  const byUrl = new Map(endpoints.map((endpoint) => [endpoint.url, endpoint]));
  const byHost = new Map(endpoints.map((endpoint) => [new URL(endpoint.url).hostname, endpoint]));
  const secrets = new Map<string, Secrets>();
  const receipts: Receipt[] = [];
  const now = () => schedule.clock.now().getTime();

  /** Fails the round if no secret of the client signed the call; skipped while the client may not know all secrets. */
  function verify({ url, headers, body }: WebhookCall): void {
    const { known, knownFrom } = secrets.get(url.hostname) ?? { known: [], knownFrom: Number.POSITIVE_INFINITY };
    if (now() < knownFrom || known.some((secret) => hasValidSignature(secret, headers, body))) return;
    schedule.fail(new Error(`No secret of its client has signed what was sent to ${url.href}.`));
  }

  async function answered(call: WebhookCall): Promise<CallResult> {
    const endpoint = byUrl.get(call.url.href);
    if (endpoint === undefined) throw new Error(`Nobody has the address ${call.url.href}.`);
    const manner = random.chance(faults.error) ? 'SERVER_ERROR' : mannerAt(endpoint.spells, now());
    const answer = answers[manner](now());
    if (answer.error !== undefined && manner !== 'HANGS') return answer;
    verify(call);
    const result = random.chance(faults.lostAnswer) ? ({ error: 'CONNECT' } as const) : answer;
    receipts.push({
      at: now(),
      url: endpoint.url,
      eventId: call.headers['webhook-id'] ?? '',
      body: call.body,
      ...(result.statusCode !== undefined && { status: result.statusCode }),
    });
    if (manner === 'HANGS') await schedule.clock.sleep(TIME_OUT);
    else if (random.chance(faults.slow)) await schedule.clock.sleep(random.below(LONGEST_ANSWER));
    return result;
  }

  return {
    receipts,
    giveSecret(url, secret) {
      const { hostname } = new URL(url);
      const known = [...(secrets.get(hostname)?.known ?? []), secret];
      secrets.set(hostname, { known, knownFrom: now() + LONGEST_UNDER_WAY });
    },
    doubtSecret(url) {
      const { hostname } = new URL(url);
      secrets.set(hostname, { known: secrets.get(hostname)?.known ?? [], knownFrom: Number.POSITIVE_INFINITY });
    },
    async callWebhook(call) {
      await schedule.turn('REQUEST');
      const answer = await answered(call);
      const event = call.headers['webhook-id'];
      trace(() => `${call.url.href} is told ${event} → ${answer.statusCode ?? answer.error}`);
      await schedule.turn('ANSWER');
      return answer;
    },
    guardUrl: createSsrfGuard(
      async (hostname) => {
        const manner = mannerAt(byHost.get(hostname)?.spells ?? [], now());
        if (manner === 'NAME_LOST') return [];
        return [manner === 'NAME_TURNED_INWARD' ? INWARD : ADDRESS];
      },
      { allowsThisMachine: false },
    ),
  };
}

/** Seconds that an overloaded endpoint asks for in `Retry-After`. */
const ASKED = 900;

const ok = () => ({ statusCode: 200 });
const failed = (error: NonNullable<CallResult['error']>) => () => ({ error });

const answers: Readonly<Record<Manner, (now: number) => CallResult>> = {
  OK: ok,
  BAD_REQUEST: () => ({ statusCode: 400 }),
  UNAUTHORIZED: () => ({ statusCode: 401 }),
  NOT_FOUND: () => ({ statusCode: 404 }),
  SERVER_ERROR: () => ({ statusCode: 500 }),
  GONE: () => ({ statusCode: 410 }),
  REDIRECT: () => ({ statusCode: 302 }),
  HANGS: failed('TIMEOUT'),
  REFUSES_CONNECTIONS: failed('CONNECT'),
  BAD_CERTIFICATE: failed('TLS'),
  // The guard stops calls before they get here; a call that is already under way arrives.
  NAME_LOST: ok,
  NAME_TURNED_INWARD: ok,
  OVERLOADED_FOR_SECONDS: () => ({ statusCode: 429, retryAfter: String(ASKED) }),
  OVERLOADED_UNTIL_DATE: (now) => ({ statusCode: 503, retryAfter: new Date(now + ASKED * 1000).toUTCString() }),
};
