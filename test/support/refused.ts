import { Refusal } from '#shared/domain/refusal.ts';

/** The refusal that an action ends with. Anything else it ends with fails the test. */
export async function refused(action: () => unknown): Promise<Refusal> {
  try {
    await action();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error('It was not refused.');
}
