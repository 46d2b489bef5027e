import { Packet, UDPServer } from 'dns2';

type Records = Readonly<
  Record<string, { readonly A?: readonly string[]; readonly AAAA?: readonly string[] | 'fails' }>
>;

export interface NameServer {
  /** `127.0.0.1:53000` */
  readonly address: string;
  /** Resolves once both questions for a name have arrived: for its IPv4 and for its IPv6 addresses. */
  readonly asked: Promise<void>;
  stop(): Promise<void>;
}

const NO_SUCH_NAME = 3;
const SERVER_FAILURE = 2;

/**
 * A name server on this machine that knows the given names. IPv6 addresses are given without `::`.
 *
 * @param ready when it begins to answer
 */
export async function listening(records: Records, ready: Promise<void> = Promise.resolve()): Promise<NameServer> {
  const types = new Set<number>();
  const asked = Promise.withResolvers<void>();
  const server = new UDPServer(async (request, send) => {
    types.add(request.questions[0]?.type ?? 0);
    if (types.size === 2) asked.resolve();
    await ready;
    await send(answerTo(request, records));
  });
  await server.listen(0, '127.0.0.1');
  return {
    address: `127.0.0.1:${server.address().port}`,
    asked: asked.promise,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
      }),
  };
}

function answerTo(request: Packet, records: Records): Packet {
  const answer = Packet.createResponseFromRequest(request);
  for (const question of request.questions) {
    const known = records[question.name.toLowerCase()];
    const values = known?.[question.type === Packet.TYPE.AAAA ? 'AAAA' : 'A'] ?? [];
    if (known === undefined) answer.header.rcode = NO_SUCH_NAME;
    else if (values === 'fails') answer.header.rcode = SERVER_FAILURE;
    else answer.answers.push(...values.map((address) => Packet.createResourceFromQuestion(question, { address })));
  }
  return answer;
}
