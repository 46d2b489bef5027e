import { ApiProblem } from '#sdk/api-problem.ts';

/** Returns the problem with which a call of the typed client ends. Any other end fails the test. */
export async function expectProblem(call: Promise<unknown>): Promise<ApiProblem> {
  try {
    await call;
  } catch (error) {
    if (error instanceof ApiProblem) return error;
    throw error;
  }
  throw new Error('The call was not refused.');
}
