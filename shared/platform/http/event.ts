import { isUtf8 } from 'node:buffer';
import * as z from 'zod/mini';
import { ApiError } from './api-error.ts';
import { apiErrors } from './api-errors.ts';
import { parseJson } from './json.ts';

const text = z.optional(z.string());
const nullableText = z.nullish(z.string());
const namedTexts = z.nullish(z.record(z.string(), text));

/** The part of an API Gateway proxy event that the service reads (REST API, payload format 1.0). */
const gatewayEvent = z.object({
  headers: namedTexts,
  multiValueHeaders: z.nullish(z.record(z.string(), z.array(z.string()))),
  queryStringParameters: namedTexts,
  multiValueQueryStringParameters: z.nullish(z.record(z.string(), z.array(z.string()))),
  pathParameters: namedTexts,
  body: nullableText,
  isBase64Encoded: z.optional(z.boolean()),
  httpMethod: z.string(),
  path: z._default(z.string(), ''),
  resource: z.string(),
  requestContext: z.object({
    requestId: z.string(),
    extendedRequestId: text,
    /** The called host, and the called path with the stage or any other prefix. */
    domainName: text,
    path: text,
    authorizer: z.nullish(z.object({ clientId: text, exp: z.optional(z.coerce.number()) })),
    identity: z.nullish(
      z.object({
        userArn: nullableText,
        user: nullableText,
        accessKey: nullableText,
        clientCert: z.nullish(z.object({ subjectDN: nullableText })),
      }),
    ),
  }),
});

export interface HttpRequest {
  readonly requestId: string;
  /** Made by API Gateway alone, while a caller may choose the request id. */
  readonly extendedRequestId?: string | undefined;
  readonly method: string;
  /** The address that was called, without its query. */
  readonly url: string;
  /** Method and path pattern: `POST /api/token`. */
  readonly route: string;
  /** Header values by lower-case name; the last value of a repeated header. */
  readonly headers: ReadonlyMap<string, string>;
  /** Lower-case names of the headers that are given more than once. */
  readonly repeatedHeaders: ReadonlySet<string>;
  readonly pathParameters: Readonly<Record<string, string | undefined>>;
  /** A parameter that is given more than once has all of its values. */
  readonly query: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly rawBody: Buffer;
  /** The content of the access token, from the authorizer; absent on routes that need no token. */
  readonly token: { readonly clientId: string; readonly expiresAtSeconds: number } | undefined;
  /** ARN of the identity that signed the call, with the name of its session; on operators' routes only. */
  readonly operator: string | undefined;
  /** Subject of the client certificate, if the stage uses mutual TLS. */
  readonly certificateSubject?: string | undefined;
  /**
   * AWS's own id of that identity, and the id of its signing key. The caller can choose the session's name, but not
   * these.
   */
  readonly signer?: { readonly principal?: string; readonly accessKey?: string } | undefined;
}

export function parseGatewayEvent(event: unknown): HttpRequest {
  const parsed = gatewayEvent.parse(event);
  const { clientId, exp } = parsed.requestContext.authorizer ?? {};
  const headers = new Map(
    Object.entries(parsed.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value ?? '']),
  );
  return {
    requestId: parsed.requestContext.requestId,
    extendedRequestId: parsed.requestContext.extendedRequestId,
    method: parsed.httpMethod,
    url: urlOf(parsed, headers.get('host') ?? ''),
    route: `${parsed.httpMethod} ${parsed.resource}`,
    headers,
    repeatedHeaders: namedTwice(parsed.multiValueHeaders ?? {}),
    pathParameters: parsed.pathParameters ?? {},
    query: { ...parsed.queryStringParameters, ...repeatedIn(parsed.multiValueQueryStringParameters ?? {}) },
    rawBody: Buffer.from(parsed.body ?? '', parsed.isBase64Encoded === true ? 'base64' : 'utf8'),
    operator: parsed.requestContext.identity?.userArn ?? undefined,
    certificateSubject: parsed.requestContext.identity?.clientCert?.subjectDN ?? undefined,
    signer: signerOf(parsed),
    token: clientId !== undefined && exp !== undefined ? { clientId, expiresAtSeconds: exp } : undefined,
  };
}

function signerOf({ requestContext: { identity } }: z.infer<typeof gatewayEvent>): HttpRequest['signer'] {
  const { user, accessKey } = identity ?? {};
  if (!user && !accessKey) return undefined;
  return { ...(user && { principal: user }), ...(accessKey && { accessKey }) };
}

/** API Gateway keeps the case of header names, so that one header may come under two names. */
function namedTwice(headers: Readonly<Record<string, readonly string[]>>): ReadonlySet<string> {
  const names = Object.entries(headers).flatMap(([name, values]) => values.map(() => name.toLowerCase()));
  return new Set(names.filter((name, at) => names.indexOf(name) !== at));
}

function repeatedIn(query: Readonly<Record<string, readonly string[]>>) {
  return Object.fromEntries(Object.entries(query).filter(([, values]) => values.length > 1));
}

/**
 * API Gateway provides the host. Only the local run does not: there the Host header is what the caller sees. The local
 * run takes `//api` for `/api`, too, but in a page an address that begins with two slashes names a host.
 */
function urlOf({ path, requestContext }: z.infer<typeof gatewayEvent>, host: string): string {
  const { domainName, path: fullPath = path } = requestContext;
  const [origin, called] = domainName === undefined ? [`http://${host}`, path] : [`https://${domainName}`, fullPath];
  return `${origin}${called.replaceAll(/\/{2,}/g, '/')}`;
}

/**
 * The JSON of a body. A missing body is read as an empty object, so that the error names the missing fields.
 *
 * @throws {ApiError} UNSUPPORTED_MEDIA_TYPE, MALFORMED_JSON
 */
export function parseJsonBody(request: Pick<HttpRequest, 'headers'>, bytes: Buffer): unknown {
  if (bytes.length === 0) return {};
  if (mediaType(request) !== 'application/json') throw new ApiError(apiErrors.UNSUPPORTED_MEDIA_TYPE);
  if (!isUtf8(bytes))
    throw new ApiError(apiErrors.MALFORMED_JSON, { detail: 'The body is not UTF-8. Send it as UTF-8.' });
  return parseJson(bytes.toString('utf8'));
}

/** The bytes of a body that is not too large. @throws {ApiError} PAYLOAD_TOO_LARGE */
export function refuseTooLarge(limit: number, bytes: Buffer): Buffer {
  if (bytes.length <= limit) return bytes;
  throw new ApiError(apiErrors.PAYLOAD_TOO_LARGE, {
    detail: `The body is larger than this route accepts. Send at most ${limit} bytes.`,
  });
}

export function mediaType(request: Pick<HttpRequest, 'headers'>): string {
  return (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}
