import { ApiProblem } from '#sdk/api-problem.ts';

/** The problem that a call of the typed client ends with. Anything else it ends with fails the test. */
export async function expectProblem(call: Promise<unknown>): Promise<ApiProblem> {
  try {
    await call;
  } catch (error) {
    if (error instanceof ApiProblem) return error;
    throw error;
  }
  throw new Error('The call was not refused.');
}
