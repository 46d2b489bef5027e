import { Validations } from 'aws-cdk-lib';
import { ResponseType, type SpecRestApi } from 'aws-cdk-lib/aws-apigateway';
import { commonHeaders, DOCS_PATH, PROBLEM_MEDIA_TYPE, problemFor } from '#shared/platform/http/answer.ts';
import { apiErrors, type ErrorKind } from '#shared/platform/http/api-errors.ts';

type GatewayAnswer = readonly [ResponseType, ErrorKind, headers?: Readonly<Record<string, string>>];

/** The errors that API Gateway answers before or instead of a function. */
const answers: readonly GatewayAnswer[] = [
  [ResponseType.MISSING_AUTHENTICATION_TOKEN, apiErrors.NOT_FOUND],
  [ResponseType.RESOURCE_NOT_FOUND, apiErrors.NOT_FOUND],
  [ResponseType.UNAUTHORIZED, apiErrors.UNAUTHORIZED, { 'WWW-Authenticate': 'Bearer' }],
  [ResponseType.ACCESS_DENIED, apiErrors.FORBIDDEN],
  [ResponseType.INVALID_API_KEY, apiErrors.FORBIDDEN],
  [ResponseType.WAF_FILTERED, apiErrors.FORBIDDEN],
  [ResponseType.REQUEST_TOO_LARGE, apiErrors.PAYLOAD_TOO_LARGE],
  [ResponseType.UNSUPPORTED_MEDIA_TYPE, apiErrors.UNSUPPORTED_MEDIA_TYPE],
  [ResponseType.THROTTLED, apiErrors.TOO_MANY_REQUESTS, { 'Retry-After': '1' }],
  // API Gateway cannot say when the next day begins.
  [ResponseType.QUOTA_EXCEEDED, apiErrors.DAILY_LIMIT_REACHED, { 'Retry-After': '3600' }],
  [ResponseType.INTEGRATION_TIMEOUT, apiErrors.SERVICE_UNAVAILABLE, { 'Retry-After': '5' }],
  [ResponseType.INTEGRATION_FAILURE, apiErrors.SERVICE_UNAVAILABLE, { 'Retry-After': '5' }],
  [ResponseType.BAD_REQUEST_BODY, apiErrors.BAD_REQUEST],
  [ResponseType.BAD_REQUEST_PARAMETERS, apiErrors.BAD_REQUEST],
  // On an unknown path or method, API Gateway takes a bearer token for an AWS signature and refuses it.
  [ResponseType.DEFAULT_4XX, apiErrors.NOT_FOUND],
  [ResponseType.DEFAULT_5XX, apiErrors.INTERNAL_ERROR],
];

/** On an API whose calls are all signed, a call without a valid signature is forbidden. */
const answersToUnsigned: readonly GatewayAnswer[] = [
  ...answers.filter(
    ([type]) => type !== ResponseType.MISSING_AUTHENTICATION_TOKEN && type !== ResponseType.DEFAULT_4XX,
  ),
  [ResponseType.MISSING_AUTHENTICATION_TOKEN, apiErrors.FORBIDDEN],
  [ResponseType.INVALID_SIGNATURE, apiErrors.FORBIDDEN],
  [ResponseType.EXPIRED_TOKEN, apiErrors.FORBIDDEN],
  // API Gateway takes a client's access token for an incomplete signature.
  [ResponseType.DEFAULT_4XX, apiErrors.FORBIDDEN],
];

/** URL of the guides on an API that has no domain of its own. */
const docsBeside = `https://$context.domainName/$context.stage${DOCS_PATH}`;

const answersOf = (isSigned: boolean) => (isSigned ? answersToUnsigned : answers);

/** Gateway responses for the body of an API; they look like the service's own answers. */
export const gatewayResponses = (isSigned: boolean, docsUrl = docsBeside) =>
  Object.fromEntries(
    answersOf(isSigned).map(([type, kind, headers = {}]) => [
      type.responseType,
      {
        statusCode: String(kind.status),
        responseTemplates: templateOf(kind, docsUrl),
        responseParameters: Object.fromEntries(
          Object.entries(headersOf(headers)).map(([name, value]) => [`gatewayresponse.header.${name}`, value]),
        ),
      },
    ]),
  );

/**
 * Adds the same responses as resources, because the local AWS reads no others. On AWS the next import of a body would
 * drop them.
 */
export function addLocalGatewayResponses(restApi: SpecRestApi, isSigned: boolean, docsUrl = docsBeside): void {
  for (const [type, kind, headers = {}] of answersOf(isSigned)) {
    restApi.addGatewayResponse(type.responseType.toString(), {
      type,
      statusCode: String(kind.status),
      templates: templateOf(kind, docsUrl),
      responseHeaders: headersOf(headers),
    });
  }
  Validations.of(restApi).acknowledge({
    id: 'CloudFormation-Validate::W3660',
    reason: 'The local AWS reads no gateway responses of a body, and imports each body into a new API.',
  });
}

/** The template's key must be application/json for every content; the Content-Type header has the real type. */
function templateOf(kind: ErrorKind, docsUrl: string) {
  return { 'application/json': JSON.stringify(problemFor(kind, '$context.requestId', docsUrl)) };
}

/** Header mappings; API Gateway wants constants in quotes. */
function headersOf(further: Readonly<Record<string, string>>): Record<string, string> {
  const constants = Object.entries({ 'Content-Type': PROBLEM_MEDIA_TYPE, ...commonHeaders, ...further });
  return {
    ...Object.fromEntries(constants.map(([name, value]) => [name, `'${value}'`])),
    'X-Request-Id': 'context.requestId',
  };
}
