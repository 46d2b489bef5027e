import { expectTypeOf, test } from 'vitest';
import type { ApiErrorCode } from '#infra/api/openapi/declared-errors.ts';
import type { ApiProblem } from '#sdk/api-problem.ts';
import type { PublishedEvents } from '#sdk/generated.ts';
import type { ArgumentsOf, RequestOf, Route } from '#sdk/routes.ts';

/** The types of calls and answers. These tests fail in `tsc`, not when they are run. */

type List = 'GET /api/v1/admin/operation/{user_id}/withdrawal';
type Create = 'POST /api/v1/admin/operation/{user_id}/withdrawal';
type Submit = 'POST /api/v1/admin/operation/{user_id}/withdrawal/{operation_id}/hash';

test('the query, which may be left out', () => {
  expectTypeOf<{ path: { user_id: string } }>().toExtend<RequestOf<List>>();
  expectTypeOf<NonNullable<RequestOf<List>['query']>['limit']>().toEqualTypeOf<number | undefined>();
  expectTypeOf<{ path: { user_id: string }; query: { status: 'OPEN' } }>().not.toExtend<RequestOf<List>>();
});

test('Idempotency-Key where a route takes it', () => {
  expectTypeOf<NonNullable<RequestOf<Create>['header']>['Idempotency-Key']>().toEqualTypeOf<string | undefined>();
  expectTypeOf<RequestOf<Submit>>().not.toHaveProperty('header');
});

test('no request where there is nothing to say', () => {
  expectTypeOf<[]>().toExtend<ArgumentsOf<'GET /api/infoClient'>>();
  expectTypeOf<[]>().not.toExtend<ArgumentsOf<List>>();
});

test('the codes of a problem', () => {
  expectTypeOf<ApiProblem['code']>().toEqualTypeOf<ApiErrorCode | undefined>();
});

test('a value that may be null is null, and never the text of it', () => {
  type Created = PublishedEvents['ramp.payin.status_changed']['data'];
  expectTypeOf<Created['previousStatus']>().toEqualTypeOf<Created['status'] | null>();
});

test('a route that does not exist is none', () => {
  expectTypeOf<'GET /api/nothing'>().not.toExtend<Route>();
});
