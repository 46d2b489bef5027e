import { createHash, createHmac } from 'node:crypto';
import { SignatureV4 } from '@smithy/signature-v4';
import { inject } from 'vitest';
import { rootCredentials } from '#infra/local/demo-data.ts';
import type { Contract } from '#shared/platform/http/contract.ts';

type SourceData = string | ArrayBuffer | ArrayBufferView;

/** SHA-256 of Node, as the signer of AWS wants it. */
class Sha256 {
  readonly #hash;

  constructor(secret?: SourceData) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', bytesOf(secret));
  }

  update(data: SourceData): void {
    this.#hash.update(bytesOf(data));
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }
}

function bytesOf(data: SourceData): Buffer {
  if (typeof data === 'string') return Buffer.from(data);
  return ArrayBuffer.isView(data) ? Buffer.from(data.buffer, data.byteOffset, data.byteLength) : Buffer.from(data);
}

const signer = new SignatureV4({
  service: 'execute-api',
  region: 'us-east-1',
  credentials: rootCredentials,
  sha256: Sha256,
});

/** A call of an operators' route: a change with its reason, or a look. */
export async function operate(
  { method, path }: Contract,
  input: Readonly<Record<string, unknown>>,
  reason = 'For a test',
) {
  const url = new URL(`${inject('stack')['OperatorsApiUrl']}${path}`);
  const query =
    method === 'GET' ? Object.fromEntries(Object.entries(input).map(([name, value]) => [name, String(value)])) : {};
  const body = method === 'POST' ? JSON.stringify({ arguments: input, reason }) : undefined;
  const signed = await signer.sign({
    method,
    protocol: url.protocol,
    hostname: url.hostname,
    port: Number(url.port),
    path: url.pathname,
    query,
    headers: { host: url.host, 'content-type': 'application/json' },
    ...(body !== undefined && { body }),
  });
  url.search = String(new URLSearchParams(query));
  const answer = await fetch(url, { method, headers: signed.headers, ...(body !== undefined && { body }) });
  const text = await answer.text();
  return { status: answer.status, auditId: answer.headers.get('x-audit-id'), body: JSON.parse(text) };
}
