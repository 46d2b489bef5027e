import type { Example } from '#infra/platform/route.ts';
import type { Contract } from '#shared/platform/http/contract.ts';
import { noBody, noContent } from '#shared/platform/http/fields.ts';
import { headers } from './headers.ts';
import { describeParameters } from './path-parameters.ts';
import { nameOfProblems, problemsOf } from './problems.ts';
import { tagOf } from './route-tags.ts';
import { type Json, schemaOf } from './schemas.ts';

/** One operation of the interface: a contract under one of its paths. */
export interface DescribedRoute {
  readonly contract: Contract;
  readonly path: string;
  readonly operationId: string;
  readonly example: Example;
}

export function describeRoute({ contract, path, operationId, example }: DescribedRoute): Json {
  const description = remarkOn(contract, path, example);
  return {
    operationId,
    summary: contract.summary,
    ...(description !== '' && { description }),
    tags: [tagOf(path)],
    ...(contract.deprecated && { deprecated: true }),
    ...(contract.repeatable && { 'x-repeatable': true }),
    security: securityOf(contract),
    parameters: [
      ...describeParameters(contract),
      ...(contract.idempotent === true ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
      ...(contract.cacheSeconds === undefined ? [] : [{ $ref: '#/components/parameters/IfNoneMatch' }]),
    ],
    ...requestOf(contract, path, example),
    responses: {
      [contract.success.status]: describeSuccess(contract, example),
      ...(contract.cacheSeconds !== undefined && { 304: notModified }),
      ...Object.fromEntries(
        problemsOf(contract).map((problems) => [
          problems.status,
          { $ref: `#/components/responses/${nameOfProblems(problems)}` },
        ]),
      ),
    },
  };
}

/** The remark on every paged list. */
const PAGES =
  'One call examines at most 300 records: a page can be short, or empty, and still have a `nextCursor`. Only the last page has none. A record that was just created may not be listed yet.';

function remarkOn(contract: Contract, path: string, { remark }: Example): string {
  const remarks = [
    remark,
    describeParameters(contract).some(({ name }) => name === 'cursor') && PAGES,
    contract.deprecated && `Ends on ${contract.deprecated.sunset}: its answers say so in Deprecation and Sunset.`,
    path.startsWith('/api/sandbox/') && 'Not in production.',
    contract.access === 'approved-client' && 'Only for clients whose complianceStatus and status are both approved.',
    path !== contract.path && `Answers the same as \`${contract.path}\`.`,
  ];
  return remarks.filter((remark) => typeof remark === 'string').join(' ');
}

function requestOf(contract: Contract, path: string, { request }: Example): Json {
  if (contract.body === noBody) return {};
  const content = { schema: schemaOf(contract.body, 'input'), example: request };
  const required = contract.mayLackBody !== true;
  return { requestBody: { required, content: { [requestTypeOf(contract, path)]: content } } };
}

/** Stock OAuth clients send a form. Generators stumble over a body of two types, so each of the two paths shows one. */
function requestTypeOf({ oauth, path: usual }: Contract, path: string): string {
  return oauth && path !== usual ? 'application/x-www-form-urlencoded' : 'application/json';
}

function securityOf({ access, oauth }: Contract): readonly Json[] {
  if (oauth) return [{ clientBasic: [] }, {}];
  return access === 'public' ? [] : [{ oauth2: [] }, { bearerAuth: [] }];
}

function describeSuccess(contract: Contract, { answer }: Example): Json {
  const further = [
    ...(contract.idempotent === true ? ['Idempotency-Replayed'] : []),
    ...(contract.cacheSeconds === undefined ? [] : ['ETag']),
  ];
  const answered = {
    description: { 200: 'Done.', 201: 'Created.', 202: 'Accepted.', 204: 'Done.' }[contract.success.status],
    headers: headers('X-Request-Id', 'Cache-Control', ...further),
  };
  if (contract.success.body === noContent) return answered;
  const content = { schema: schemaOf(contract.success.body, 'output'), example: answer };
  return { ...answered, content: { 'application/json': content } };
}

const notModified: Json = {
  description: 'The known version is still current.',
  headers: headers('X-Request-Id', 'Cache-Control', 'ETag'),
};
