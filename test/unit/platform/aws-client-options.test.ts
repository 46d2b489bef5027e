import { globSync, readFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import * as z from 'zod/mini';

const ANSWER = '{"Item":{"id":{"S":"found"}}}';
const HEAD = `HTTP/1.1 200 OK\r\nContent-Type: application/x-amz-json-1.0\r\nContent-Length: ${ANSWER.length}\r\n\r\n`;

/** An AWS that accepts connections and gives the first request of each to the next of these handlers. */
async function awsThat(...answers: readonly ((socket: Socket) => void)[]) {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    const answer = answers[sockets.push(socket) - 1];
    socket.once('data', () => answer?.(socket));
    // A call that is aborted resets its connection.
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = z.object({ port: z.int() }).parse(server.address());
  return { endpoint: `http://127.0.0.1:${port}`, sockets };
}

const never = () => void vi.advanceTimersByTime(3000);
const fully = (socket: Socket) => void socket.write(HEAD + ANSWER);
const half = (socket: Socket) => void socket.write(HEAD + ANSWER.slice(0, 5));

describe('a call of AWS', () => {
  beforeEach(() => {
    // The pauses between tries pass in real time.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    vi.stubEnv('AWS_REGION', 'us-east-1');
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'none');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'none');
    vi.resetModules();
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllEnvs();
  });

  /** A read by the client that functions use. */
  async function read(endpoint: string) {
    vi.stubEnv('AWS_ENDPOINT_URL', endpoint);
    const { dynamo } = await import('#shared/platform/dynamodb/client.ts');
    onTestFinished(() => dynamo.destroy());
    return dynamo.send(new GetItemCommand({ TableName: 'any', Key: { id: { S: 'any' } } }));
  }

  test('ends when every connection is taken and none answers', async () => {
    const { endpoint, sockets } = await awsThat(never, never, never, never);
    await expect(read(endpoint)).rejects.toThrow(expect.objectContaining({ name: 'TimeoutError' }));
    expect(sockets).toHaveLength(4);
  });

  test('is made again when a connection does not answer', async () => {
    const { endpoint, sockets } = await awsThat(never, fully);
    expect(await read(endpoint)).toMatchObject({ Item: { id: { S: 'found' } } });
    expect(sockets).toHaveLength(2);
  });

  test('is made again when a connection dies in the middle of its answer', async () => {
    const { endpoint, sockets } = await awsThat(half, fully);
    expect(await read(endpoint)).toMatchObject({ Item: { id: { S: 'found' } } });
    expect(sockets).toHaveLength(2);
  });
});

describe('every client of AWS', () => {
  const root = fileURLToPath(new URL('../../../', import.meta.url));
  const sources = globSync('{functions,shared}/**/*.ts', { cwd: root });
  const made = sources.flatMap((file) =>
    [...readFileSync(`${root}${file}`, 'utf8').matchAll(/new (\w+Client)\(([^)]*)\)/g)].map(([, kind, options]) => ({
      file,
      kind,
      options,
    })),
  );

  test('has time limits', () => {
    const kinds = new Set(made.map(({ kind }) => kind));
    expect([...kinds].sort()).toEqual([
      'APIGatewayClient',
      'DynamoDBClient',
      'EventBridgeClient',
      'KMSClient',
      'SFNClient',
      'SQSClient',
      'SecretsManagerClient',
    ]);
    expect(made.filter(({ options }) => options !== 'awsClientOptions')).toEqual([]);
  });
});
