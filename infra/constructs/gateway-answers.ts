import { ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import { commonHeaders } from '#shared/contracts/common-headers.ts';
import { PROBLEM_MEDIA_TYPE, problemFor } from '#shared/contracts/problem.ts';
import { type RefusalCode, refusals } from '#shared/domain/refusal.ts';

/** Makes what API Gateway answers before or instead of a function look like our own answers. */
export function answerAsOurs(restApi: RestApi): void {
  for (const [type, code, headers = {}] of answers) {
    restApi.addGatewayResponse(type.responseType.toString(), {
      type,
      statusCode: String(refusals[code][0]),
      // The template's key has to be application/json whatever is sent; the header says what is sent.
      templates: { 'application/json': JSON.stringify(problemFor(code, '$context.requestId')) },
      responseHeaders: {
        ...quoted({ 'Content-Type': PROBLEM_MEDIA_TYPE, ...commonHeaders, ...headers }),
        'X-Request-Id': 'context.requestId',
      },
    });
  }
}

/** As constants of a mapping, which are in quotes. */
function quoted(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, `'${value}'`]));
}

type GatewayAnswer = readonly [ResponseType, RefusalCode, headers?: Readonly<Record<string, string>>];

const answers: readonly GatewayAnswer[] = [
  [ResponseType.MISSING_AUTHENTICATION_TOKEN, 'NOT_FOUND'],
  [ResponseType.RESOURCE_NOT_FOUND, 'NOT_FOUND'],
  [ResponseType.UNAUTHORIZED, 'UNAUTHORIZED', { 'WWW-Authenticate': 'Bearer' }],
  [ResponseType.ACCESS_DENIED, 'FORBIDDEN'],
  [ResponseType.INVALID_API_KEY, 'FORBIDDEN'],
  [ResponseType.WAF_FILTERED, 'FORBIDDEN'],
  [ResponseType.REQUEST_TOO_LARGE, 'PAYLOAD_TOO_LARGE'],
  [ResponseType.UNSUPPORTED_MEDIA_TYPE, 'UNSUPPORTED_MEDIA_TYPE'],
  [ResponseType.THROTTLED, 'TOO_MANY_REQUESTS', { 'Retry-After': '1' }],
  [ResponseType.QUOTA_EXCEEDED, 'TOO_MANY_REQUESTS', { 'Retry-After': '60' }],
  [ResponseType.INTEGRATION_TIMEOUT, 'SERVICE_UNAVAILABLE', { 'Retry-After': '5' }],
  [ResponseType.INTEGRATION_FAILURE, 'SERVICE_UNAVAILABLE', { 'Retry-After': '5' }],
  [ResponseType.BAD_REQUEST_BODY, 'BAD_REQUEST'],
  [ResponseType.BAD_REQUEST_PARAMETERS, 'BAD_REQUEST'],
  // On a path or method that is none, a bearer token is taken for a signature of AWS and refused as such.
  [ResponseType.DEFAULT_4XX, 'NOT_FOUND'],
  [ResponseType.DEFAULT_5XX, 'INTERNAL_ERROR'],
];
