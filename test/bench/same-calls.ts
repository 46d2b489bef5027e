import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { unmarshall } from '@aws-sdk/util-dynamodb';

/** A call of AWS, as it was seen on its way: `GetItem` of `DynamoDB`. */
interface SeenCall {
  readonly service: string;
  readonly operation: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Whether another call was still open when it began. */
  readonly besideTheLast: boolean;
}

/** Of each service's target of a call: its package, client, and what its commands are called where not as its operations. */
const services: Readonly<Record<string, { readonly library: string; readonly client: string }>> = {
  DynamoDB_20120810: { library: '@aws-sdk/client-dynamodb', client: 'DynamoDBClient' },
  AWSStepFunctions: { library: '@aws-sdk/client-sfn', client: 'SFNClient' },
  TrentService: { library: '@aws-sdk/client-kms', client: 'KMSClient' },
  AmazonSQS: { library: '@aws-sdk/client-sqs', client: 'SQSClient' },
};
const DYNAMO = 'DynamoDB_20120810';
const documentCommands: Readonly<Record<string, string>> = {
  GetItem: 'Get',
  PutItem: 'Put',
  UpdateItem: 'Update',
  DeleteItem: 'Delete',
  BatchGetItem: 'BatchGet',
  BatchWriteItem: 'BatchWrite',
  TransactGetItems: 'TransactGet',
  TransactWriteItems: 'TransactWrite',
};

/** Passes calls on to an endpoint and remembers them. */
export async function watchCalls(endpoint: string) {
  let seen: SeenCall[] = [];
  let open = 0;
  const server = createServer(async (incoming, answer) => {
    const besideTheLast = open > 0;
    open += 1;
    const body = await buffer(incoming);
    const [service = '', operation = ''] = `${incoming.headers['x-amz-target'] ?? ''}`.split('.');
    seen.push({ service, operation, input: body.length > 0 ? JSON.parse(`${body}`) : {}, besideTheLast });
    const { method, headers, url } = incoming;
    const passed = request(new URL(url ?? '/', endpoint), { method, headers }, async (answered) => {
      const bytes = await buffer(answered);
      open -= 1;
      answer.writeHead(answered.statusCode ?? 502, answered.headers).end(bytes);
    });
    passed.on('error', (error) => answer.destroy(error)).end(body);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    /** @returns the calls since it was asked last */
    take(): readonly SeenCall[] {
      const taken = seen;
      seen = [];
      return taken;
    },
    stop: () => server.close(),
  };
}

/**
 * The source of a function that makes the same calls with the bare SDK and nothing else: no function of the service that
 * asks the same can take less. What AWS refuses is as well as what it answers.
 *
 * @param madeOnly targets of services whose client it makes, for other calls than this one
 */
export function bareFunction(
  whileItStarts: readonly SeenCall[],
  ofACall: readonly SeenCall[],
  madeOnly: readonly string[],
): string {
  const all = [...whileItStarts, ...ofACall];
  const used = [...new Set([...all.map(({ service }) => service), ...madeOnly])];
  const commandOf = ({ service, operation }: SeenCall) =>
    `${(service === DYNAMO && documentCommands[operation]) || operation}Command`;
  const imports = used.flatMap((service) => {
    const { library, client } = serviceOf(service);
    const commands = [...new Set(all.filter((one) => one.service === service).map(commandOf))];
    if (service !== DYNAMO) return [`import { ${[client, ...commands].join()} } from '${library}';`];
    const document = `import { ${['DynamoDBDocumentClient', ...commands].join()} } from '@aws-sdk/lib-dynamodb';`;
    return [`import { ${client} } from '${library}';`, document];
  });
  const clients = used.map((service) => {
    const made = `new ${serviceOf(service).client}()`;
    return `export const ${service} = ${service === DYNAMO ? `DynamoDBDocumentClient.from(${made})` : made};`;
  });
  const rounds = (calls: readonly SeenCall[]) =>
    inRounds(calls).map((round) => {
      const sends = round.map(
        (one) => `${one.service}.send(new ${commandOf(one)}(${JSON.stringify(inputOf(one))})).catch(() => undefined)`,
      );
      return `await Promise.all([${sends.join()}]);`;
    });
  return [
    ...imports,
    ...clients,
    ...rounds(whileItStarts),
    'export async function handler() {',
    ...rounds(ofACall),
    '}',
  ].join('\n');
}

function serviceOf(target: string) {
  const service = services[target];
  if (service === undefined) throw new Error(`Calls of ${target} are not known here.`);
  return service;
}

/** Calls that were open at the same time make one round. */
function inRounds(calls: readonly SeenCall[]): readonly (readonly SeenCall[])[] {
  const rounds: SeenCall[][] = [];
  for (const call of calls) {
    const last = rounds.at(-1);
    if (call.besideTheLast && last !== undefined) last.push(call);
    else rounds.push([call]);
  }
  return rounds;
}

function inputOf({ service, input }: SeenCall): unknown {
  return service === DYNAMO ? asDocument(input) : input;
}

const ITEMS: readonly string[] = ['Key', 'Item', 'ExpressionAttributeValues', 'ExclusiveStartKey'];

/** The input as the document client takes it, which turns it into the same bytes. */
function asDocument(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asDocument);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      if (ITEMS.includes(name)) return [name, unmarshall(inner)];
      if (name === 'Keys' && Array.isArray(inner)) return [name, inner.map((key) => unmarshall(key))];
      return [name, asDocument(inner)];
    }),
  );
}
