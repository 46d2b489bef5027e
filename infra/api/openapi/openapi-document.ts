import { endpoints, sandboxEndpoints } from '#infra/api/endpoints.ts';
import type { Endpoint } from '#infra/platform/route.ts';
import { DOCS_PATH } from '#shared/platform/http/answer.ts';
import { describeEvents } from './describe-events.ts';
import { type DescribedRoute, describeRoute } from './describe-route.ts';
import { requestHeaders, responseHeaders } from './headers.ts';
import { camelCase, pascalCase } from './names.ts';
import { describeProblems, nameOfProblems, problemsOf } from './problems.ts';
import { tags } from './route-tags.ts';
import { type Json, namedSchemas } from './schemas.ts';

const info: Json = {
  title: 'Fiat pay-in and crypto off-ramp API',
  version: '2.0',
  description: [
    'Collects fiat from the users of business clients and pays out crypto that they send.',
    'Every error is a problem (RFC 9457) whose `code` is for programs and stable, and whose `detail` is for people.',
    'Answers and events may gain fields, and lists of values (`status`, `reason`, `code` and others) may gain values: a program must accept unknown ones. Unknown fields of a request are ignored, except in the sandbox, where they are refused.',
    'A POST with `x-repeatable` may be sent again when its answer was lost: it has no further effect.',
    'Production requires mutual TLS and answers `403 FORBIDDEN` to addresses that are not on the allowlist.',
  ].join('\n\n'),
  license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
};

/** The schemes by which a client obtains an access token, or presents one that it has. */
const securitySchemes: Json = {
  oauth2: {
    type: 'oauth2',
    description: 'Returns access tokens for the id and the secret of the client.',
    flows: { clientCredentials: { tokenUrl: '/api/token', scopes: {} } },
  },
  bearerAuth: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'An access token of POST /api/v1/client/token.',
  },
  clientBasic: {
    type: 'http',
    scheme: 'basic',
    description: 'The id and the secret of the client, for a token request without them in its body.',
  },
};

/** Leaves out routes of providers, which have their own formats, and the documentation page, which is for people. */
function isForClients({ contract }: Endpoint): boolean {
  return contract.access !== 'provider' && contract.success.mediaTypes === undefined;
}

/** Every route for clients, sandbox included, under each of its paths. */
function routes(): readonly DescribedRoute[] {
  return [...endpoints, ...sandboxEndpoints].filter(isForClients).flatMap(({ contract, alsoServes = [], example }) => {
    const operationId = camelCase(contract.name);
    if (example === undefined) throw new Error(`Give an example of ${contract.name} where its route is declared.`);
    return [
      { contract, path: contract.path, operationId, example },
      ...(contract.aliases ?? []).map((path) => ({ contract, path, operationId: `${operationId}Alias`, example })),
      ...alsoServes.map((also) => ({
        contract: also,
        path: also.path,
        operationId: `${operationId}As${pascalCase(also.access)}`,
        example,
      })),
    ];
  });
}

const LOCAL = 'http://localhost:8080';
const LOCAL_DOCS = `${LOCAL}${DOCS_PATH}`;

/** The description of the whole interface, made from the contracts. */
function openApiDocument(): Json {
  const described = routes();
  const contracts = described.map(({ contract }) => contract);
  const paths: Record<string, Record<string, Json>> = {};
  for (const route of described) {
    paths[route.path] = { ...paths[route.path], [route.contract.method.toLowerCase()]: describeRoute(route) };
  }
  const problems = contracts.flatMap(problemsOf).map((group) => [nameOfProblems(group), describeProblems(group)]);
  return {
    openapi: '3.1.0',
    info,
    servers: [{ url: LOCAL, description: 'The local run, npm start.' }],
    externalDocs: { description: 'Guides, and a page for each code of an error.', url: LOCAL_DOCS },
    tags: tags.map(({ name, description }) => ({ name, description })),
    paths,
    webhooks: describeEvents(),
    components: {
      schemas: namedSchemas(new Set(contracts.map(({ body }) => body))),
      responses: Object.fromEntries(problems),
      parameters: requestHeaders,
      headers: responseHeaders,
      securitySchemes,
    },
  };
}

/** The text of `openapi.json`. */
export function printedDocument(): string {
  return `${JSON.stringify(openApiDocument(), undefined, 2)}\n`;
}
