import { type Call, isProblem } from '#sdk/index.ts';

/** Where the user pays; `undefined` when the client has no such user. */
export async function linkToPay(call: Call, userId: string): Promise<string | undefined> {
  try {
    const { body: payin } = await call('POST /api/v1/admin/fiats/{user_id}/payin', {
      path: { user_id: userId },
      body: { amount: 150_000, currency: 'COP', paymentMethod: 'PSE', bank: '1007' },
    });
    return payin.pseLink;
  } catch (error) {
    if (isProblem(error, 'USER_NOT_FOUND')) return undefined;
    throw error;
  }
}
