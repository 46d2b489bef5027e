import { type Call, isProblem } from '#sdk/index.ts';

/** The page on which the user pays. Store `key` with the order before the call. `undefined` without such a user. */
export async function linkToPay(call: Call, userId: string, key: string): Promise<string | undefined> {
  try {
    const { body: payin } = await call('POST /api/v1/admin/fiats/{user_id}/payin', {
      path: { user_id: userId },
      header: { 'Idempotency-Key': key },
      body: { amount: 150_000, currency: 'COP', paymentMethod: 'PSE', bank: '1007' },
    });
    return payin.pseLink;
  } catch (error) {
    if (isProblem(error, 'USER_NOT_FOUND')) return undefined;
    throw error;
  }
}
