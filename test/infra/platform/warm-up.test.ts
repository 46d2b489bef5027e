import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { bundles, functionsOf, grantsOf, synthesise } from '#test/support/synthesised.ts';

const service = synthesise('staging');
const grants = grantsOf(service);
const source = (folder: string) =>
  readFileSync(fileURLToPath(new URL(`../../../functions/${folder}/handler.ts`, import.meta.url)), 'utf8');
const warmed = functionsOf(service).filter(({ folder }) => source(folder).includes('warmUp(create'));

const request = z.object({ TableName: z.optional(z.string()), IndexName: z.optional(z.string()) });

/** The calls to tables: `dynamodb:GetItem <Tables/clients.Arn>`. */
const asked: string[] = [];

const aws = createServer(async (call, answer) => {
  const [, action] = String(call.headers['x-amz-target']).split('.');
  const { TableName: table, IndexName: index } = request.parse(JSON.parse(await text(call)));
  if (table !== undefined)
    asked.push(`dynamodb:${action} ${table.replace('>', '.Arn>')}${index === undefined ? '' : `/index/${index}`}`);
  answer.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' }).end('{}');
});

beforeAll(async () => {
  await new Promise<void>((listens) => aws.listen(0, '127.0.0.1', listens));
  const { port } = z.object({ port: z.int() }).parse(aws.address());
  vi.stubEnv('AWS_ENDPOINT_URL', `http://127.0.0.1:${port}`).stubEnv('AWS_REGION', 'us-east-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'none').stubEnv('AWS_SECRET_ACCESS_KEY', 'none');
});

afterAll(() => {
  vi.unstubAllEnvs();
  aws.close();
});

/** Only AWS enforces roles, and a warm-up ignores its errors: without this, a function might start with a refusal. */
test.each(warmed)('$name starts by reads that its role may make', async ({ name, folder, environment }) => {
  for (const [variable, value] of Object.entries(environment)) vi.stubEnv(variable, service.text(value));
  asked.length = 0;
  await import(pathToFileURL(join(bundles.get(folder)?.directory ?? '', 'handler.mjs')).href);
  const own = grants.filter(({ role }) => role.split('/').includes(name));
  expect(own.map(({ action, resource }) => `${action} ${resource}`)).toEqual(expect.arrayContaining(asked));
});

test('most functions read a table first', () => {
  expect(warmed.length).toBeGreaterThan(20);
});
