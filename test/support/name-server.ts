import { createSocket } from 'node:dgram';

type Records = Readonly<
  Record<string, { readonly A?: readonly string[]; readonly AAAA?: readonly string[] | 'fails' }>
>;

export interface NameServer {
  /** `127.0.0.1:53000` */
  readonly address: string;
  /** Once both questions for a name, its IPv4 and its IPv6 addresses, have come. */
  readonly asked: Promise<void>;
  stop(): Promise<void>;
}

const TYPES = new Map([
  [1, 'A'],
  [28, 'AAAA'],
] as const);
const NO_SUCH_NAME = 3;
const SERVER_FAILURE = 2;

/**
 * A name server on this machine (RFC 1035) that knows the given names. IPv6 addresses are given without `::`.
 *
 * @param ready when it begins to answer
 */
export async function listening(records: Records, ready: Promise<void> = Promise.resolve()): Promise<NameServer> {
  const socket = createSocket('udp4');
  const types = new Set<number>();
  const asked = Promise.withResolvers<void>();
  socket.on('message', async (query, from) => {
    types.add(query.readUInt16BE(nameAt(query, 12).end));
    if (types.size === TYPES.size) asked.resolve();
    await ready;
    socket.send(answerTo(query, records), from.port, from.address);
  });
  const port = await new Promise<number>((resolve) => {
    socket.bind(0, '127.0.0.1', () => resolve(socket.address().port));
  });
  return {
    address: `127.0.0.1:${port}`,
    asked: asked.promise,
    stop: () =>
      new Promise((resolve) => {
        socket.close(() => resolve());
      }),
  };
}

function answerTo(query: Buffer, records: Records): Buffer {
  const { name, end } = nameAt(query, 12);
  const type = TYPES.get(query.readUInt16BE(end) === 28 ? 28 : 1) ?? 'A';
  const known = records[name.toLowerCase()];
  const values = known?.[type] ?? [];
  const addresses = values === 'fails' ? [] : values;
  const code = known === undefined ? NO_SUCH_NAME : values === 'fails' ? SERVER_FAILURE : 0;
  const header = Buffer.from(query.subarray(0, 12));
  header.writeUInt16BE(0x8180 + code, 2);
  header.writeUInt16BE(addresses.length, 6);
  header.writeUInt32BE(0, 8);
  const question = query.subarray(12, end + 4);
  return Buffer.concat([
    header,
    question,
    ...addresses.map((address) => resourceRecord(query.readUInt16BE(end), address)),
  ]);
}

/** One answer for the name of the question, to which it points. */
function resourceRecord(type: number, address: string): Buffer {
  const data = address.includes(':')
    ? Buffer.from(
        address
          .split(':')
          .map((group) => group.padStart(4, '0'))
          .join(''),
        'hex',
      )
    : Buffer.from(address.split('.').map(Number));
  const fixed = Buffer.alloc(12);
  fixed.writeUInt16BE(0xc00c, 0);
  fixed.writeUInt16BE(type, 2);
  fixed.writeUInt16BE(1, 4);
  fixed.writeUInt32BE(60, 6);
  fixed.writeUInt16BE(data.length, 10);
  return Buffer.concat([fixed, data]);
}

function nameAt(query: Buffer, start: number): { name: string; end: number } {
  const labels: string[] = [];
  let at = start;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join('.'), end: at + 1 };
}
