import * as z from 'zod/mini';
import { CustodianUnavailable } from '#shared/off-ramps/custodians/custodian.ts';
import type { SecretRefusal } from '#shared/platform/aws/secrets.ts';
import {
  createCallHttps,
  type HttpsAnswer,
  type HttpsLimits,
  NoAnswer,
  noAnswerTexts,
  parseRetryAfter,
} from '#shared/platform/call-https.ts';
import type { Clock } from '#shared/platform/clock.ts';

export interface RpcCall {
  readonly method: string;
  readonly params: readonly unknown[];
}

/** A node of a chain. */
export interface EvmNode {
  /** The name for messages, because a URL may contain a key. */
  readonly name: string;
  /**
   * Sends the calls in one batch and returns their results in order. Each batch asks for the chain's id first, so that
   * a node that changes to another chain is noticed before any of its answers is used.
   *
   * @throws {NodeRefused}
   * @throws {CustodianUnavailable}
   */
  readonly call: (calls: readonly RpcCall[]) => Promise<readonly unknown[]>;
}

/** The node refused a request that was too large or too slow, such as too many blocks; a smaller one may succeed. */
export class NodeRefused extends CustodianUnavailable {}

/** The node's limit of calls in a second is reached; each call of a batch counts. */
export class NodeThrottled extends CustodianUnavailable {}

/** The node does not accept the key in its URL. */
class KeyRefused extends CustodianUnavailable implements SecretRefusal {
  readonly refusesSecret = true;
}

interface NodeOptions {
  readonly name: string;
  readonly url: string;
  readonly chainId: number;
  readonly clock: Clock;
  readonly limits?: HttpsLimits;
}

/** Two answers of this size take 160 MB of memory; functions that ask for a transaction have 256 MB. */
const DEFAULT_LIMITS = { milliseconds: 10_000, bytes: 4 * 1024 * 1024 };

/** Answers with logs may be this many times as long: one block can need it, and functions that scan have the memory. */
const LOGS_ARE_LONGER = 4;

const TOO_MANY_REQUESTS = 429;

/**
 * Error codes with which nodes ask for a pause inside a batch that they answer with 200: Alchemy, QuickNode, and the
 * gateway of Base and OP Mainnet (proxyd). Smaller requests would not help, because there would be more of them. -32005
 * is not listed, because it is ambiguous: Infura also uses it for a range with too many results.
 */
const pausing: readonly number[] = [TOO_MANY_REQUESTS, -32007, -32016];

/** Statuses with which nodes refuse a key. */
const forbidding: readonly number[] = [401, 403];

/** Statuses with which nodes say that a range is too large, besides a JSON-RPC error. */
const refusing: readonly number[] = [400, 408, 413];

/** From this status on the server failed, perhaps on a range that takes too long: Alchemy answers 503, gateways 504. */
const SERVER_ERROR = 500;

const quantity = z.string().check(z.regex(/^0x[0-9a-f]{1,64}$/i));

const rpcError = z.object({ error: z.object({ code: z.int(), message: z.string() }) });

const rpcAnswer = z.union([z.extend(rpcError, { id: z.int() }), z.object({ id: z.int(), result: z.unknown() })]);

/** Calls a node over node:https, because a client library would be most of the bundle. Follows no redirect. */
export function createNode({ name, url, chainId, clock, limits = DEFAULT_LIMITS }: NodeOptions): EvmNode {
  const unavailable = (what: string, retryAfter?: number) =>
    new CustodianUnavailable(`${name} ${what}.`, retryAfter === undefined ? {} : { retryAfter });
  const refused = (what: string) => new NodeRefused(`${name} ${what}.`);
  const pauses = (what: string, retryAfter?: number) =>
    new NodeThrottled(`${name} ${what}.`, retryAfter === undefined ? {} : { retryAfter });

  const errorOf = (of: string, { error: { code } }: z.infer<typeof rpcError>) =>
    pausing.includes(code) ? pauses(`asks for a pause (${code})`) : refused(`refuses ${of} (${code})`);

  const resultsOf = (text: string, calls: number): readonly unknown[] => {
    const answer = z.union([z.array(rpcAnswer), rpcError]).safeParse(parsed(text)).data;
    if (answer === undefined) throw unavailable('answers no JSON-RPC');
    if (!Array.isArray(answer)) throw errorOf('a batch', answer);
    const answers = new Map(answer.map((one) => [one.id, one]));
    return Array.from({ length: calls }, (_, id) => {
      const one = answers.get(id);
      if (one === undefined) throw unavailable('leaves calls unanswered');
      if ('error' in one) throw errorOf('a call', one);
      return one.result;
    });
  };

  const faultOf = ({ status, headers }: HttpsAnswer): CustodianUnavailable | undefined => {
    if (status === 200) return undefined;
    if (status === TOO_MANY_REQUESTS) return pauses('asks for a pause', parseRetryAfter(headers, clock));
    if (forbidding.includes(status)) return new KeyRefused(`${name} answers ${status}.`);
    const retryAfter = parseRetryAfter(headers, clock);
    const mayDoLess = refusing.includes(status) || (status >= SERVER_ERROR && retryAfter === undefined);
    return mayDoLess ? refused(`answers ${status}`) : unavailable(`answers ${status}`, retryAfter);
  };

  const callHttps = createCallHttps(clock, limits);
  const callForLogs = createCallHttps(clock, { ...limits, bytes: limits.bytes * LOGS_ARE_LONGER });

  const textOf = async (call: typeof callHttps, body: string): Promise<string> => {
    const headers = { 'content-type': 'application/json' };
    const request = { url, method: 'POST', headers, body, isRead: true } as const;
    const answer = await call(request).catch((error: unknown) => {
      if (!(error instanceof NoAnswer)) throw error;
      throw error.why === 'LATE' || error.why === 'TOO_LONG'
        ? refused(noAnswerTexts[error.why])
        : unavailable(noAnswerTexts[error.why]);
    });
    const fault = faultOf(answer);
    if (fault !== undefined) throw fault;
    return answer.text;
  };

  return {
    name,
    call: async (calls) => {
      const batch = [{ method: 'eth_chainId', params: [] }, ...calls];
      const post = calls.some(({ method }) => method === 'eth_getLogs') ? callForLogs : callHttps;
      const text = await textOf(post, JSON.stringify(batch.map((call, id) => ({ jsonrpc: '2.0', id, ...call }))));
      const [itsChain, ...results] = resultsOf(text, batch.length);
      const id = quantity.safeParse(itsChain).data;
      if (id === undefined || BigInt(id) !== BigInt(chainId))
        throw unavailable(`is a node of another chain than ${chainId}`);
      return results;
    },
  };
}

/** Parses a node's result with the schema. @throws {CustodianUnavailable} when it does not parse. */
export function readResult<Schema extends z.core.$ZodType>(
  { name }: EvmNode,
  schema: Schema,
  result: unknown,
): z.output<Schema> {
  const { data, error } = z.safeParse(schema, result);
  if (error !== undefined) throw new CustodianUnavailable(`The answer of ${name} cannot be read.`);
  return data;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
