import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { COLLECTION_FILE, printedCollection } from '#infra/api/openapi/postman-collection.ts';
import { textOf } from '#test/support/markdown.ts';
import { openApiText, publishedContract } from '#test/support/openapi.ts';

const text = textOf(COLLECTION_FILE);
const request = z.object({
  method: z.string(),
  auth: z.optional(z.object({ type: z.string() })),
  url: z.object({ path: z.array(z.string()) }),
});
const { item: folders } = z
  .object({ item: z.array(z.object({ item: z.array(z.object({ request })) })) })
  .parse(JSON.parse(text));
const requests = folders.flatMap(({ item }) => item.map((one) => one.request));
const routeOf = ({ method, url }: z.infer<typeof request>) =>
  `${method} /${url.path.map((part) => part.replace(/^:(.*)$/, '{$1}')).join('/')}`;

test('the collection for Postman is made of the published contract: if this fails, run npm run openapi', () => {
  expect(text === printedCollection(openApiText)).toBe(true);
});

test('the collection has every route once, with a token exactly where one is needed', () => {
  const published = Object.entries(publishedContract.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { security }]) => [
      `${method.toUpperCase()} ${path}`,
      security.some((scheme) => 'bearerAuth' in scheme),
    ]),
  );
  const found = requests.map((one) => [routeOf(one), one.auth?.type !== 'noauth']);
  const byRoute = (one: readonly unknown[], other: readonly unknown[]) => String(one).localeCompare(String(other));
  expect(found.toSorted(byRoute)).toEqual(published.toSorted(byRoute));
});
