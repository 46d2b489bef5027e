import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { problem } from '#infra/api/openapi/problem.ts';
import { PROBLEM_MEDIA_TYPE } from '#shared/platform/http/answer.ts';
import { apiBodiesOf } from '#test/support/api-body.ts';
import { stageNames, synthesise } from '#test/support/synthesised.ts';

const responseProperties = z.object({
  RestApiId: z.unknown(),
  ResponseType: z.string(),
  StatusCode: z.string(),
  ResponseParameters: z.record(z.string(), z.string()),
  ResponseTemplates: z.record(z.string(), z.string()),
});

/** What API Gateway answers by itself: status, code and, where a client needs it, one more header. */
const answers: Readonly<Record<string, readonly [status: number, code: string, header?: string, value?: string]>> = {
  MISSING_AUTHENTICATION_TOKEN: [404, 'NOT_FOUND'],
  RESOURCE_NOT_FOUND: [404, 'NOT_FOUND'],
  UNAUTHORIZED: [401, 'UNAUTHORIZED', 'WWW-Authenticate', "'Bearer'"],
  ACCESS_DENIED: [403, 'FORBIDDEN'],
  INVALID_API_KEY: [403, 'FORBIDDEN'],
  WAF_FILTERED: [403, 'FORBIDDEN'],
  REQUEST_TOO_LARGE: [413, 'PAYLOAD_TOO_LARGE'],
  UNSUPPORTED_MEDIA_TYPE: [415, 'UNSUPPORTED_MEDIA_TYPE'],
  THROTTLED: [429, 'TOO_MANY_REQUESTS', 'Retry-After', "'1'"],
  QUOTA_EXCEEDED: [429, 'DAILY_LIMIT_REACHED', 'Retry-After', "'3600'"],
  INTEGRATION_TIMEOUT: [503, 'SERVICE_UNAVAILABLE', 'Retry-After', "'5'"],
  INTEGRATION_FAILURE: [503, 'SERVICE_UNAVAILABLE', 'Retry-After', "'5'"],
  BAD_REQUEST_BODY: [400, 'BAD_REQUEST'],
  BAD_REQUEST_PARAMETERS: [400, 'BAD_REQUEST'],
  DEFAULT_4XX: [404, 'NOT_FOUND'],
  DEFAULT_5XX: [500, 'INTERNAL_ERROR'],
};

const apis = ['Clients', 'Providers'] as const;

/** The guides are served beside the API, except in production, whose settings name their address. */
const OWN_ADDRESS = '$context.domainName/$context.stage/';
const beside = `https://${OWN_ADDRESS}api/docs`;
const guides = { local: beside, staging: beside, prod: 'https://docs.example.com/payments' };

describe.each(stageNames.flatMap((stageName) => apis.map((api) => [stageName, api] as const)))(
  'what API Gateway answers by itself in %s to %s',
  (stageName, api) => {
    const service = synthesise(stageName);
    const inBody = apiBodiesOf(service).find((one) => one.api === api)?.['x-amazon-apigateway-gateway-responses'] ?? {};
    const responses = Object.entries(inBody).map(([ResponseType, response]) => ({
      ResponseType,
      StatusCode: response.statusCode,
      ResponseParameters: response.responseParameters,
      ResponseTemplates: response.responseTemplates,
    }));
    const bodyOf = ({ ResponseTemplates }: (typeof responses)[number]): unknown =>
      JSON.parse((ResponseTemplates['application/json'] ?? '').replaceAll('$context.requestId', 'request-1'));

    test('is defined for every kind of error that this file names, and by a default for all others', () => {
      expect(responses.map(({ ResponseType }) => ResponseType).sort()).toEqual(Object.keys(answers).sort());
    });

    // The local AWS reads no others, and AWS drops them when the body is imported again.
    test(stageName === 'local' ? 'is there once more as a resource' : 'is in the body of the API alone', () => {
      const resources = service
        .ofType('AWS::ApiGateway::GatewayResponse', responseProperties)
        .filter(({ properties }) => service.text(properties.RestApiId) === `<${api}/Api>`)
        .map(({ properties: { RestApiId: _, ...response } }) => response);
      expect(resources).toEqual(stageName === 'local' ? responses : []);
    });

    test.each(responses)('is a problem, and its content type says so: $ResponseType', (response) => {
      expect(Object.keys(response.ResponseTemplates)).toEqual(['application/json']);
      const body = bodyOf(response);
      expect(problem.parse(body)).toEqual(body);
      expect(body).toMatchObject({ requestId: 'request-1' });
      expect(problem.parse(body).type).toBe(`${guides[stageName]}/errors/${problem.parse(body).code}.html`);
      expect(response.ResponseParameters).toMatchObject({
        'gatewayresponse.header.Content-Type': `'${PROBLEM_MEDIA_TYPE}'`,
        'gatewayresponse.header.Cache-Control': "'no-store'",
        'gatewayresponse.header.Strict-Transport-Security': "'max-age=31536000'",
        'gatewayresponse.header.X-Content-Type-Options': "'nosniff'",
        'gatewayresponse.header.X-Request-Id': 'context.requestId',
      });
    });

    test.each(responses)(
      'fills in the request id and the address of the guides, and nothing else: $ResponseType',
      ({ ResponseTemplates }) => {
        const variables = ResponseTemplates['application/json']?.match(/[$#]\S*?(?=")/g);
        expect(variables?.filter((one) => !one.startsWith(OWN_ADDRESS))).toEqual(['$context.requestId']);
      },
    );

    test.each(responses)(
      'has the status and code of its error, on the wire and in the body: $ResponseType',
      (response) => {
        const [status, code] = answers[response.ResponseType] ?? [];
        expect(response.StatusCode).toBe(String(status));
        expect(bodyOf(response)).toMatchObject({ status, code });
      },
    );

    test.each(responses)(
      'says how to authenticate or when to come back, where that helps: $ResponseType',
      (response) => {
        const parameters = Object.entries(response.ResponseParameters);
        const further = parameters.filter(([name]) => /WWW-Authenticate|Retry-After/.test(name));
        const [, , header, value] = answers[response.ResponseType] ?? [];
        expect(further).toEqual(header === undefined ? [] : [[`gatewayresponse.header.${header}`, value]]);
        expect(parameters).toHaveLength(5 + further.length);
      },
    );
  },
);
