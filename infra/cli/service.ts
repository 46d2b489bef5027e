import { SignatureV4 } from '@smithy/signature-v4';
import * as z from 'zod/mini';
import { problem } from '#infra/api/openapi/problem.ts';
import type { Contract } from '#shared/platform/http/contract.ts';
import { OpsError } from './ops-error.ts';

/** The operators' API of a stage, and who calls it. */
export interface Service {
  /** In words, for questions: `staging`. */
  readonly name: string;
  readonly url: string;
  readonly signing: Omit<ConstructorParameters<typeof SignatureV4>[0], 'service'>;
  readonly fetch: typeof fetch;
  /** What to do when nothing answers. */
  readonly whenSilent: string;
}

/** The input: a lookup's query or a change's body. */
export interface CallInput {
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Longer than the API takes for any answer. */
const PATIENCE_MILLISECONDS = 35_000;

/** Sends a signed call. */
export async function call(
  { url: base, signing, fetch }: Service,
  { method, path }: Contract,
  { query = {}, body }: CallInput,
) {
  const url = new URL(`${base}${path}`);
  const content = body === undefined ? {} : { body: JSON.stringify(body) };
  const signed = await new SignatureV4({ ...signing, service: 'execute-api' }).sign({
    method,
    protocol: url.protocol,
    hostname: url.hostname,
    port: Number(url.port),
    path: url.pathname,
    query,
    headers: { host: url.host, 'content-type': 'application/json' },
    ...content,
  });
  url.search = String(new URLSearchParams(query)).replaceAll('+', '%20');
  const signal = AbortSignal.timeout(PATIENCE_MILLISECONDS);
  return await fetch(url, { method, headers: signed.headers, signal, ...content });
}

const answered = z.record(z.string(), z.unknown());

/** A refusal of the service: operators get codes that clients do not. */
const refused = z.extend(z.pick(problem, { detail: true, requestId: true, errors: true }), { code: z.string() });

/** Calls a route and returns its answer, with the audit id of a change. @throws {OpsError} */
export async function ask(service: Service, contract: Contract, asked: CallInput) {
  const unknownEnd = contract.method === 'GET' ? '' : ' It is unknown whether it was done: check before you repeat it.';
  const answer = await called(service, contract, asked, unknownEnd);
  const content: unknown = await answer.json().catch(() => undefined);
  if (!answer.ok) throw refusal(contract, answer.status, content, unknownEnd);
  const body = answered.safeParse(content).data;
  if (body === undefined) throw new OpsError('failed', `The answer of the service is not readable.${unknownEnd}`);
  return { body, auditId: answer.headers.get('x-audit-id') ?? undefined };
}

async function called(service: Service, contract: Contract, asked: CallInput, unknownEnd: string): Promise<Response> {
  try {
    return await call(service, contract, asked);
  } catch (error) {
    if (isErrorNamed(error, 'CredentialsProviderError')) throw credentialsError(error);
    if (isErrorNamed(error, 'TimeoutError'))
      throw new OpsError('failed', `The service does not answer in time.${unknownEnd}`);
    const end = wasNotSent(error) ? '' : unknownEnd;
    throw new OpsError('failed', `Nothing answers at ${service.url}. ${service.whenSilent}${end}`);
  }
}

/** True if no connection was made. */
function wasNotSent(error: unknown): boolean {
  const { cause } = z.object({ cause: z.object({ code: z.string() }) }).safeParse(error).data ?? {};
  return cause !== undefined && ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'].includes(cause.code);
}

/** Sentences for clients about the key that makes a repeat safe; no command has a key. */
const KEYED = / [^.]*\bIdempotency-Key\b[^.]*\./;

/** The beginning of an error's path, which nobody typed. */
const IN_REQUEST = /^(body\.arguments|body|query)\./;

/** AWS answers only that it is forbidden; these are other possible reasons. */
const ALSO = 'Expired credentials, or a wrong clock of this machine, have the same effect.';

function refusal({ method, path, name }: Contract, status: number, content: unknown, unknownEnd: string): OpsError {
  const reason = refused.safeParse(content).data;
  if (reason === undefined)
    return new OpsError('failed', `The service answers ${status} without a reason.${unknownEnd}`);
  const { code, detail, requestId } = reason;
  const errors = reason.errors?.map((one) => ({ ...one, path: one.path.replace(IN_REQUEST, '') }));
  const details = { code, requestId, ...(errors && { errors }) };
  if (status === 403) {
    const allowed = `execute-api:Invoke on ${method}${path}`;
    return new OpsError(
      'forbidden',
      `This identity may not ${name}: its policy must allow ${allowed}. ${ALSO}`,
      details,
    );
  }
  return status >= 500
    ? new OpsError('failed', `${detail.replace(KEYED, '')}${unknownEnd}`, details)
    : new OpsError('refused', detail, details);
}

export function credentialsError(error: unknown): OpsError {
  const why = error instanceof Error ? error.message : String(error);
  return new OpsError('forbidden', `There are no AWS credentials to sign the call with: ${why}`);
}

export function isErrorNamed(error: unknown, name: string): boolean {
  return error instanceof Error && error.name === name;
}
