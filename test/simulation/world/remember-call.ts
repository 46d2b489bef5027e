import type { HttpAnswer, HttpCall, SendRequest } from '#test/simulation/aws/gateway.ts';
import type { TrueCall } from '#test/simulation/books/truth.ts';
import type { Outside } from './outside.ts';

interface Remembered extends Omit<TrueCall, 'answer'> {
  answer?: NonNullable<TrueCall['answer']>;
}

/** Sends a client's call, and records it with its answer. */
export async function rememberCall(
  { host, memory, request }: Pick<Outside, 'host' | 'memory'> & { readonly request: SendRequest },
  clientId: string,
  call: HttpCall,
): Promise<HttpAnswer | undefined> {
  const { clock } = host.schedule;
  const [path = '', query] = call.path.split('?', 2);
  const idempotencyKey = call.headers?.['idempotency-key'];
  const remembered: Remembered = {
    clientId,
    at: clock.now().getTime(),
    method: call.method,
    path,
    ...(query !== undefined && { query }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    ...(call.body !== undefined && { body: call.body }),
  };
  memory.calls.push(remembered);
  const answer = await request(call);
  if (answer !== undefined) {
    remembered.answer = { at: clock.now().getTime(), status: answer.status, body: answer.body };
  }
  return answer;
}
