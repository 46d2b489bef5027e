import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { CLIENT_FILE, printedClient } from '#infra/api/openapi/generate-client.ts';
import { routes } from '#sdk/generated.ts';
import { openApiText, publishedContracts } from '#test/support/openapi.ts';

const text = readFileSync(new URL(`../../../${CLIENT_FILE}`, import.meta.url), 'utf8');
const known = new Map<string, (typeof routes)[keyof typeof routes]>(Object.entries(routes));

describe('the typed client', () => {
  test('is generated from the published contract: if this fails, run npm run openapi', () => {
    expect(text === printedClient(openApiText)).toBe(true);
  });

  test('has every route for clients, and no other', () => {
    const declared = publishedContracts.flatMap(({ method, path, aliases = [] }) =>
      [path, ...aliases].map((one) => `${method} ${one}`),
    );
    expect([...known.keys()].sort()).toEqual(declared.sort());
  });

  test.each(publishedContracts)('sends an access token where one is needed: $name', ({ method, path, access }) => {
    expect(known.get(`${method} ${path}`)?.needsToken).toBe(access === 'client' || access === 'approved-client');
  });

  test.each(publishedContracts)(
    'repeats only calls that are safe to repeat: $name',
    ({ method, path, idempotent, repeatable }) => {
      const isSafe = /^(GET|PUT|DELETE)$/.test(method) || repeatable === true;
      const expected = idempotent === true ? 'under its key' : isSafe ? 'always' : 'never';
      expect(known.get(`${method} ${path}`)?.repeatable).toBe(expected);
    },
  );
});
