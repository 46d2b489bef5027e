import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { generateFile, mapOpenApiEndpoints } from 'typed-openapi';
import * as z from 'zod/mini';

/** Where the text of `printedClient` is kept, from the project's folder on. */
export const CLIENT_FILE = 'sdk/generated.ts';

const biome = createRequire(import.meta.url).resolve('@biomejs/biome/bin/biome');

const operation = z.object({
  security: z.array(z.record(z.string(), z.unknown())),
  parameters: z.array(z.object({ $ref: z.optional(z.string()) })),
  'x-repeatable': z._default(z.boolean(), false),
});
const document = z.object({ paths: z.record(z.string(), z.record(z.string(), operation)) });

/** The typed client's types of every route, and what it has to know of each at run time, from the text of `openapi.json`. */
export function printedClient(openApiText: string): string {
  const parsed = JSON.parse(openApiText);
  const types = generateFile({ ...mapOpenApiEndpoints(parsed), runtime: 'none', includeClient: false });
  const routes = Object.entries(document.parse(parsed).paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, one]) => [`${method.toUpperCase()} ${path}`, traitsOf(method, one)]),
  );
  return formatted(`// Written by npm run openapi, from openapi.json. Do not edit.
    ${types}
    export const routes = ${JSON.stringify(Object.fromEntries(routes))} as const;
  `);
}

/**
 * Whether a route needs an access token, and whether the same request may be sent again when its outcome is unknown.
 */
function traitsOf(method: string, { security, parameters, ...rest }: z.infer<typeof operation>) {
  const takesKey = parameters.some(({ $ref }) => $ref === '#/components/parameters/IdempotencyKey');
  const isRepeatable = ['get', 'put', 'delete'].includes(method) || rest['x-repeatable'];
  return {
    needsToken: security.some((scheme) => 'bearerAuth' in scheme),
    repeatable: takesKey ? 'under its key' : isRepeatable ? 'always' : 'never',
  };
}

function formatted(text: string): string {
  const format = [biome, 'format', `--stdin-file-path=${CLIENT_FILE}`];
  return execFileSync(process.execPath, format, { input: text, encoding: 'utf8' });
}
