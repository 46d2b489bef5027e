import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { generateFile, mapOpenApiEndpoints } from 'typed-openapi';
import * as z from 'zod/mini';

/** The file with the text of `printedClient`, relative to the project. */
export const CLIENT_FILE = 'sdk/generated.ts';

const biome = createRequire(import.meta.url).resolve('@biomejs/biome/bin/biome');

const operation = z.object({
  security: z.array(z.record(z.string(), z.unknown())),
  parameters: z.array(z.object({ $ref: z.optional(z.string()), name: z.optional(z.string()) })),
  'x-repeatable': z._default(z.boolean(), false),
});
const json = z.object({ 'application/json': z.object({ schema: z.object({ $ref: z.string() }) }) });
const event = z.object({ post: z.object({ requestBody: z.object({ content: json }) }) });
const document = z.object({
  paths: z.record(z.string(), z.record(z.string(), operation)),
  webhooks: z.record(z.string(), event),
});

/** Generates the typed client from the text of `openapi.json`: the types of every route, and its traits at run time. */
export function printedClient(openApiText: string): string {
  // The generator writes a null among values as the text 'null'; of a type that may be null it says so anyway.
  const parsed = JSON.parse(openApiText, (name, value) =>
    name === 'enum' ? value.filter((one: unknown) => one !== null) : value,
  );
  const { paths, webhooks } = document.parse(parsed);
  const types = generateFile({ ...mapOpenApiEndpoints(parsed), runtime: 'none', includeClient: false });
  const routes = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, one]) => [`${method.toUpperCase()} ${path}`, traitsOf(method, one)]),
  );
  const events = Object.entries(webhooks).map(
    ([type, { post }]) => `'${type}': Schemas.${nameOf(post.requestBody.content['application/json'].schema.$ref)};`,
  );
  return formatted(`// Written by npm run openapi, from openapi.json. Do not edit.
    ${types}
    export interface PublishedEvents { ${events.join('\n')} }
    export const routes = ${JSON.stringify(Object.fromEntries(routes))} as const;
  `);
}

/**
 * The traits of a route: whether it needs an access token, whether a request of unknown outcome may be sent again, and
 * the query parameter that takes the cursor of the previous page.
 */
function traitsOf(method: string, { security, parameters, ...rest }: z.infer<typeof operation>) {
  const takesKey = parameters.some(({ $ref }) => $ref === '#/components/parameters/IdempotencyKey');
  const isRepeatable = ['get', 'put', 'delete'].includes(method) || rest['x-repeatable'];
  const pagedBy = parameters.find(({ name }) => name === 'cursor' || name === 'after')?.name;
  return {
    needsToken: security.some((scheme) => 'bearerAuth' in scheme),
    repeatable: takesKey ? 'under its key' : isRepeatable ? 'always' : 'never',
    ...(pagedBy !== undefined && { pagedBy }),
  };
}

const nameOf = (reference: string) => reference.slice('#/components/schemas/'.length);

function formatted(text: string): string {
  const format = [biome, 'format', `--stdin-file-path=${CLIENT_FILE}`];
  return execFileSync(process.execPath, format, { input: text, encoding: 'utf8' });
}
