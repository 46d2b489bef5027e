import { createHmac } from 'node:crypto';
import { BadSignature } from '#shared/platform/aws/kms.ts';

/** Signs the notifications of a simulated provider, and verifies them as its adapter does. */
export function createSignature(header: string, key: string) {
  const sign = (body: string | Buffer) => createHmac('sha256', key).update(body).digest('base64');
  return {
    headers: (body: string): Readonly<Record<string, string>> => ({
      'content-type': 'application/json',
      [header]: sign(body),
    }),
    forgedHeaders: (body: string): Readonly<Record<string, string>> => ({
      'content-type': 'application/json',
      [header]: sign(`${body} `),
    }),
    /** @throws {BadSignature} */
    verify(rawBody: Buffer, headers: ReadonlyMap<string, string>): void {
      if (headers.get(header) !== sign(rawBody)) throw new BadSignature('not a signature of these bytes');
    },
  };
}
