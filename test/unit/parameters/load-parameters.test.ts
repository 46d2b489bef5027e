import { createServer } from 'node:http';
import { DeleteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createCustomResource } from '#functions/parameters/load-parameters/custom-resource.ts';
import { loadParameters } from '#functions/parameters/load-parameters/load-parameters.ts';
import { retryWhileDenied } from '#functions/parameters/load-parameters/retry-while-denied.ts';
import { createSendAnswer } from '#functions/parameters/load-parameters/send-answer.ts';
import { createDeactivations } from '#shared/parameters/deactivations.ts';
import type { ParameterLists } from '#shared/parameters/parameter-lists.ts';
import { createParameterStore, type Parameters } from '#shared/parameters/parameter-store.ts';
import { captureLogs } from '#test/support/capture-logs.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { tablesInMemory } from '#test/support/tables-in-memory.ts';

const NOON = '2026-08-01T12:00:00.000Z';

const bank = (id: string, name = id) => ({ id, code: '1007', name, active: true });
const token = (tokenId: number) => ({ tokenId, token: `T${tokenId}`, active: true, networks: {} });
const lists = (differences: Partial<ParameterLists> = {}): ParameterLists => ({
  banks: [bank('one'), bank('two')],
  tokens: [token(1)],
  ...differences,
});

/** The table of parameters in memory, and what was done to it in order. */
function world() {
  const { dynamo, table } = tablesInMemory();
  const store = createParameterStore(dynamo, 'parameters');
  const done: string[] = [];
  const parameters: Parameters = {
    ids: store.ids,
    async put(kind, id, parameter) {
      await store.put(kind, id, parameter);
      done.push(`put ${kind} ${id}`);
    },
    async remove(kind, id) {
      await store.remove(kind, id);
      done.push(`remove ${kind} ${id}`);
    },
  };
  const kept = () =>
    Object.fromEntries(
      table('parameters')
        .items()
        .map((item) => [`${item['kind']} ${item['id']}`, item]),
    );
  const deactivations = createDeactivations(dynamo, 'parameters');
  return { kept, done, load: loadParameters(parameters), deactivations };
}

const keptBank = (id: string, name = id) => ({ ...bank(id, name), kind: 'BANK' });
const keptToken = (tokenId: number) => ({ ...token(tokenId), kind: 'TOKEN', id: String(tokenId) });

describe('decisions 6: loading the lists', () => {
  test('writes changed entries and removes missing ones, once the new entries are there', async () => {
    const { kept, done, load } = world();
    await load(lists());
    done.length = 0;
    await load(lists({ banks: [bank('two', 'Two'), bank('three')], tokens: [token(2)] }));
    expect(kept()).toEqual({
      'BANK two': keptBank('two', 'Two'),
      'BANK three': keptBank('three'),
      'TOKEN 2': keptToken(2),
    });
    expect(done).toEqual(['put BANK two', 'put BANK three', 'remove BANK one', 'put TOKEN 2', 'remove TOKEN 1']);
  });

  test('keeps that operators have deactivated an entry, and nothing else of what the files do not say', async () => {
    const { kept, load, deactivations } = world();
    await load(lists({ tokens: [{ ...token(1), registerDate: '2026-08-01' }] }));
    await deactivations.deactivate('BANK', 'one', NOON);
    await deactivations.deactivate('TOKEN', '1', NOON);
    await load(lists({ banks: [bank('one', 'One')] }));
    expect(kept()).toEqual({
      'BANK one': { ...keptBank('one', 'One'), deactivatedAt: NOON },
      'TOKEN 1': { ...keptToken(1), deactivatedAt: NOON },
    });
  });

  test('makes no entry without a name of one that another deployment has removed at the same moment', async () => {
    const { dynamo, table } = tablesInMemory();
    table('parameters').put({ ...keptBank('one'), deactivatedAt: NOON });
    const send = async (command: UpdateCommand) => {
      const { Key } = command.input;
      if (command instanceof UpdateCommand) await dynamo.send(new DeleteCommand({ TableName: 'parameters', Key }));
      return dynamo.send(command);
    };
    const { remove } = createParameterStore(Object.assign(Object.create(dynamo), { send }), 'parameters');
    await remove('BANK', 'one');
    expect(table('parameters').items()).toEqual([]);
  });

  test('keeps a deactivated entry that is gone from the files as an inactive one, so that none comes back active', async () => {
    const { kept, load, deactivations } = world();
    const without = lists({ banks: [bank('two')] });
    await load(lists());
    await deactivations.deactivate('BANK', 'one', NOON);
    await load(without);
    const gone = { ...keptBank('one'), active: false, deactivatedAt: NOON };
    expect(kept()).toMatchObject({ 'BANK one': gone });
    expect(await deactivations.activate('BANK', 'one')).toBe('INACTIVE_IN_FILES');
    await load(lists());
    expect(kept()).toMatchObject({ 'BANK one': { ...keptBank('one'), deactivatedAt: NOON } });
    await deactivations.activate('BANK', 'one');
    await load(without);
    expect(kept()).not.toHaveProperty('BANK one');
  });
});

const request = {
  RequestType: 'Create',
  ResponseURL: 'https://answers.example/object?signature=x',
  StackId: 'arn:aws:cloudformation:us-east-1:000000000000:stack/payin-offramp-local/1',
  RequestId: 'request-1',
  LogicalResourceId: 'ParametersLoaded',
  ResourceType: 'Custom::ParameterLists',
  ResourceProperties: { ServiceToken: 'arn', Lists: '{}' },
};

async function handled(event: object, work: (properties: unknown) => Promise<void> = async () => {}) {
  const answers: { url: string; answer: unknown }[] = [];
  await createCustomResource(work, async (url, answer) => {
    answers.push({ url: url.href, answer: JSON.parse(answer) });
  })(event);
  return answers;
}

describe('a request of CloudFormation', () => {
  const { StackId, RequestId, LogicalResourceId } = request;

  test.each(['Create', 'Update'])('%s: brings about the properties and answers SUCCESS', async (RequestType) => {
    const given: unknown[] = [];
    const answers = await handled({ ...request, RequestType }, async (properties) => {
      given.push(properties);
    });
    expect(given).toEqual([request.ResourceProperties]);
    const answer = { Status: 'SUCCESS', PhysicalResourceId: LogicalResourceId, StackId, RequestId, LogicalResourceId };
    expect(answers).toEqual([{ url: request.ResponseURL, answer }]);
  });

  test('keeps the id of the resource, so that it is not taken for a replacement', async () => {
    const [answered] = await handled({ ...request, RequestType: 'Update', PhysicalResourceId: 'first' });
    expect(answered?.answer).toMatchObject({ PhysicalResourceId: 'first' });
  });

  test('Delete: leaves everything as it is and answers SUCCESS', async () => {
    const [answered] = await handled({ ...request, RequestType: 'Delete', PhysicalResourceId: 'first' }, async () => {
      throw new Error('It did something.');
    });
    expect(answered?.answer).toMatchObject({ Status: 'SUCCESS', PhysicalResourceId: 'first' });
  });

  test('that fails is answered FAILED with the reason, so that the deployment ends at once', async () => {
    const lines = captureLogs();
    const [answered] = await handled(request, async () => {
      throw new Error('The table is gone.');
    });
    expect(answered?.answer).toMatchObject({ Status: 'FAILED', Reason: 'Error: The table is gone.', RequestId });
    expect(lines.map(({ level, code }) => [level, code])).toEqual([['error', 'CUSTOM_RESOURCE_FAILED']]);
  });

  test('is answered in at most 4096 bytes, however long the reason', async () => {
    captureLogs();
    const [answered] = await handled(request, async () => {
      throw new Error('ñ'.repeat(10_000));
    });
    expect(Buffer.byteLength(JSON.stringify(answered?.answer))).toBeLessThanOrEqual(4096);
  });

  test('that is none is not answered', async () => {
    await expect(handled({ ...request, RequestType: 'Read' })).rejects.toThrow();
  });
});

describe('a role that was just made', () => {
  const denied = Object.assign(new Error('not yet'), { name: 'AccessDeniedException' });

  async function attempt(failures: number, failure: Error) {
    const clock = fakeClock(NOON);
    let tries = 0;
    const work = retryWhileDenied(async () => {
      tries += 1;
      if (tries <= failures) throw failure;
    }, clock);
    return { outcome: await work.catch((error: unknown) => error), tries, pauses: clock.pauses };
  }

  test('may be refused for 15 seconds', async () => {
    expect(await attempt(4, denied)).toEqual({ outcome: undefined, tries: 5, pauses: [1000, 2000, 4000, 8000] });
  });

  test('is given up after that', async () => {
    expect(await attempt(5, denied)).toMatchObject({ outcome: denied, tries: 5 });
  });

  test('does not excuse other failures', async () => {
    const failure = new Error('bad item');
    expect(await attempt(1, failure)).toEqual({ outcome: failure, tries: 1, pauses: [] });
  });
});

describe('the answer to CloudFormation', () => {
  /** A server that answers with these statuses in turn, and what it got. */
  async function listening(...statuses: readonly number[]) {
    const got: { method: string | undefined; type: string | undefined; length: string | undefined; body: string }[] =
      [];
    const server = createServer((incoming, outgoing) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => {
        const { 'content-type': type, 'content-length': length } = incoming.headers;
        outgoing.writeHead(statuses[got.length] ?? 200).end();
        got.push({ method: incoming.method, type, length, body: Buffer.concat(chunks).toString('utf8') });
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const address = server.address();
    if (typeof address !== 'object' || address === null) throw new Error('It does not listen.');
    return { got, url: new URL(`http://127.0.0.1:${address.port}/object?signature=x`) };
  }

  test('is put without a content type, which is not signed for, and with its length in bytes', async () => {
    const { got, url } = await listening();
    await createSendAnswer(fakeClock(NOON))(url, '{"Reason":"ñ"}');
    expect(got).toEqual([{ method: 'PUT', type: '', length: '15', body: '{"Reason":"ñ"}' }]);
  });

  test('is put again when it is not taken', async () => {
    const { got, url } = await listening(503, 500, 200);
    const clock = fakeClock(NOON);
    await createSendAnswer(clock)(url, '{}');
    expect(got).toHaveLength(3);
    expect(clock.pauses).toEqual([200, 400]);
  });

  test('is a failure of the function when it is never taken', async () => {
    const { got, url } = await listening(403, 403, 403, 403);
    await expect(createSendAnswer(fakeClock(NOON))(url, '{}')).rejects.toThrow('did not accept the response: 403');
    expect(got).toHaveLength(4);
  });

  test('is a failure of the function if nothing listens at the address', async () => {
    await expect(createSendAnswer(fakeClock(NOON))(new URL('http://127.0.0.1:1/'), '{}')).rejects.toThrow(
      'did not accept the response: 0',
    );
  });
});
