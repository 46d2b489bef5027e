import type { Schemas } from './generated.ts';

/** An HTTP answer as it arrived. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

type Problem = Schemas.Problem;
export type ProblemCode = Problem['code'];

/** Thrown when the service rejects a call or fails (RFC 9457). */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem';
  readonly status: number;
  /** Stable, for programs; `undefined` when the answer is not from the service but from something in between. */
  readonly code: ProblemCode | undefined;
  /** For people. */
  readonly detail: string;
  /** Quote it when you ask for help. */
  readonly requestId: string | undefined;
  /** Id of the pay-in of a failed creation, which may still be payable. Read it before you create another one. */
  readonly payinId: string | undefined;
  /** The invalid values of a 422; empty for any other status. */
  readonly errors: NonNullable<Problem['errors']>;
  /** The whole body, with the members that only some codes have. */
  readonly problem: Problem | undefined;

  constructor(route: string, answer: HttpAnswer) {
    const problem = problemIn(answer);
    const detail = problem?.detail ?? 'The answer is not from the service.';
    super(`${route} was answered with ${answer.status} ${problem?.code ?? ''}: ${detail}`);
    this.status = answer.status;
    this.code = problem?.code;
    this.detail = detail;
    this.requestId = problem?.requestId ?? answer.headers.get('x-request-id') ?? undefined;
    this.payinId = problem?.payinId;
    this.errors = problem?.errors ?? [];
    this.problem = problem;
  }
}

/** True if a failure is an answer of the service with one of these codes. */
export function isProblem<Code extends ProblemCode>(
  failure: unknown,
  ...codes: readonly Code[]
): failure is ApiProblem & { readonly code: Code } {
  return failure instanceof ApiProblem && codes.some((code) => code === failure.code);
}

/** The problem in an answer; `undefined` for the error page of a proxy. */
export function problemIn({ text }: HttpAnswer): Problem | undefined {
  try {
    const body: unknown = JSON.parse(text);
    return isShapedAsProblem(body) ? body : undefined;
  } catch {
    return undefined;
  }
}

/** True if a body has the shape of a problem, also with a code that is newer than this generated client. */
function isShapedAsProblem(body: unknown): body is Problem {
  if (typeof body !== 'object' || body === null) return false;
  const { code, detail, requestId }: { code?: unknown; detail?: unknown; requestId?: unknown } = body;
  return [code, detail, requestId].every((member) => typeof member === 'string');
}
