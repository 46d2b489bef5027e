/**
 * Makes a client's first call while the function starts, where it has a full processor and nobody waits: that call
 * costs as much as loading the client. Its result and any error are ignored.
 */
export async function warmUp(firstCall: Promise<unknown>): Promise<void> {
  await firstCall.catch(() => undefined);
}

/** An id that no item has. */
export const NIL_UUID = '00000000-0000-0000-0000-000000000000';
