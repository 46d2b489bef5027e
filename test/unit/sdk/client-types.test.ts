import { expectTypeOf, test } from 'vitest';
import type { ApiErrorCode } from '#infra/api/openapi/declared-errors.ts';
import type { ApiProblem } from '#sdk/api-problem.ts';
import type { AnswerOf, ArgumentsOf, RequestOf, Route } from '#sdk/routes.ts';

/** What the compiler knows of a call. These fail in `tsc`, not when they are run. */

type List = 'GET /api/v1/admin/operation/{user_id}/withdrawal';
type Create = 'POST /api/v1/admin/operation/{user_id}/withdrawal';
type Submit = 'POST /api/v1/admin/operation/{user_id}/withdrawal/{operation_id}/hash';

test('the parameters of the path', () => {
  expectTypeOf<RequestOf<Submit>['path']>().toEqualTypeOf<{ user_id: string; operation_id: string }>();
});

test('the query, which may be left out', () => {
  expectTypeOf<{ path: { user_id: string } }>().toExtend<RequestOf<List>>();
  expectTypeOf<NonNullable<RequestOf<List>['query']>['limit']>().toEqualTypeOf<number | undefined>();
  expectTypeOf<{ path: { user_id: string }; query: { status: 'OPEN' } }>().not.toExtend<RequestOf<List>>();
});

test('the body and its optional fields', () => {
  expectTypeOf<RequestOf<Create>['body']['amount']>().toEqualTypeOf<string>();
  expectTypeOf<RequestOf<Create>['body']['externalReference']>().toEqualTypeOf<string | undefined>();
  expectTypeOf<Omit<RequestOf<Create>, 'body'>>().not.toExtend<RequestOf<Create>>();
});

test('Idempotency-Key where a route takes it', () => {
  expectTypeOf<NonNullable<RequestOf<Create>['header']>['Idempotency-Key']>().toEqualTypeOf<string | undefined>();
  expectTypeOf<RequestOf<Submit>>().not.toHaveProperty('header');
});

test('no request where there is nothing to say', () => {
  expectTypeOf<[]>().toExtend<ArgumentsOf<'GET /api/infoClient'>>();
  expectTypeOf<[]>().not.toExtend<ArgumentsOf<List>>();
});

test('the answer by its status', () => {
  expectTypeOf<AnswerOf<Create>['status']>().toEqualTypeOf<201>();
  expectTypeOf<AnswerOf<Submit>['status']>().toEqualTypeOf<202>();
  expectTypeOf<AnswerOf<Submit>['body']>().toEqualTypeOf<{
    operationId: string;
    txHash: string;
    status: 'VERIFYING';
  }>();
  expectTypeOf<AnswerOf<'GET /api/parameters/banks'>['status']>().toEqualTypeOf<200 | 304>();
});

test('the codes of a problem', () => {
  expectTypeOf<ApiProblem['code']>().toEqualTypeOf<ApiErrorCode | undefined>();
});

test('a route that does not exist is none', () => {
  expectTypeOf<'GET /api/nothing'>().not.toExtend<Route>();
});
