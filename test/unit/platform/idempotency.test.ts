import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createWithdrawalContract } from '#shared/off-ramps/contract/withdrawal-contract.ts';
import { createPayinContract } from '#shared/pay-ins/pay-in-contract.ts';
import type { IdempotencyRecords } from '#shared/platform/dynamodb/idempotency-records.ts';
import { ApiError } from '#shared/platform/http/api-error.ts';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import { createRunIdempotently } from '#shared/platform/http/idempotency.ts';
import { expectApiError } from '#test/support/expect-api-error.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { httpRequest } from '#test/support/http-request.ts';
import { idempotencyRecordsInMemory } from '#test/support/idempotency-records-in-memory.ts';
import { CLIENT, USER, WALLET } from '#test/support/ids.ts';

const START = '2026-08-01T12:00:00.000Z';

interface Scope {
  readonly clientId?: string;
  readonly route?: string;
  readonly userId?: string;
}

/** A service that creates things, and everything it created. */
function world() {
  const clock = fakeClock(START);
  let ids = 0;
  const once = createRunIdempotently(idempotencyRecordsInMemory(), clock, () => {
    ids += 1;
    return `id-${ids}`;
  });
  const created: string[] = [];
  const call = (key: string | undefined, scope: Scope = {}) => {
    const { clientId = CLIENT, route = 'POST /api/things', userId = USER } = scope;
    const headers = key === undefined ? {} : { 'idempotency-key': key };
    const http = httpRequest('', headers, { route, pathParameters: { user_id: userId } });
    return { clientId, path: { user_id: userId }, http };
  };
  const create = async (id: string) => {
    created.push(id);
    return { id, list: [1, { a: null }] };
  };
  const post = (key: string | undefined, body: unknown = { amount: '1' }, scope: Scope = {}) =>
    once(call(key, scope), body, create);
  return { clock, once, call, create, post, created };
}

describe('decisions 5, same request twice', () => {
  test('without the header every call creates', async () => {
    const { post, created } = world();
    const answers = [await post(undefined), await post(undefined)];
    expect(created).toEqual(['id-1', 'id-2']);
    expect(answers.every((answer) => answer.headers === undefined)).toBe(true);
  });

  // While a release is deployed, the repeat of a creation may meet the other version: with another digest it creates once more.
  test.each([
    [
      createPayinContract,
      { currency: 'COP', amount: 150000, bank: '1007', paymentMethod: 'PSE' },
      '8e85c9167347,7379923bf42a',
    ],
    [
      createWithdrawalContract,
      { amount: '250.50', supportedTokenId: 1, originExternalWalletId: WALLET },
      'e529096b025f,3bd6de2e0808',
    ],
  ])('a repeat finds its record in every release: $0.path', async ({ method, path, body }, sent, pinned) => {
    const { call } = world();
    const claims: string[] = [];
    const records = idempotencyRecordsInMemory();
    const watched: IdempotencyRecords = {
      ...records,
      claim: (claim) => {
        claims.push(claim.scopeDigest.slice(0, 12), claim.requestDigest.slice(0, 12));
        return records.claim(claim);
      },
    };
    const parsed = body.parse(sent);
    await createRunIdempotently(watched, fakeClock(START), () => 'id')(
      call('key', { route: `${method} ${path}` }),
      parsed,
      async (id) => ({ id }),
    );
    expect(claims.join()).toBe(pinned);
  });

  test('the first answer is replayed for 24 hours', async () => {
    const { post, created, clock } = world();
    await post('key');
    clock.advance(24 * 3600 - 1);
    expect((await post('key')).headers).toEqual({ 'Idempotency-Replayed': 'true' });
    clock.advance(1);
    expect((await post('key')).headers).toBeUndefined();
    expect(created).toHaveLength(2);
  });

  test.each([
    ['another value', { amount: '2' }],
    ['another spelling', { amount: '1.0' }],
    ['another type', { amount: 1 }],
    ['one field more', { amount: '1', externalReference: 'a' }],
    ['no field', {}],
  ])('another body under the same key is 422 IDEMPOTENCY_KEY_REUSED: %s', async (_, body) => {
    const { post, created } = world();
    await post('key');
    const error = await expectApiError(() => post('key', body));
    expect([error.status, error.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    expect(created).toHaveLength(1);
  });

  test.each<[string, Scope]>([
    ['client', { clientId: 'another' }],
    ['method', { route: 'PUT /api/things' }],
    ['route', { route: 'POST /api/others' }],
    ['path, as its contract reads it', { userId: 'another' }],
  ])('the key of another %s is another key', async (_, scope) => {
    const { post, created } = world();
    await post('key');
    expect((await post('key', { amount: '2' }, scope)).headers).toBeUndefined();
    expect(created).toEqual(['id-1', 'id-2']);
  });

  test('a path id that is written in another case is the same request', async () => {
    const { once, call, create, created } = world();
    const keyed = call('key');
    const upper = { ...keyed, http: { ...keyed.http, pathParameters: { user_id: USER.toUpperCase() } } };
    await once(keyed, {}, create);
    expect((await once(upper, {}, create)).headers).toEqual({ 'Idempotency-Replayed': 'true' });
    expect(created).toHaveLength(1);
  });

  test('a concurrent repeat is 409 IDEMPOTENCY_IN_PROGRESS, with Retry-After', async () => {
    const { once, call, post, created } = world();
    const inside = await once(call('key'), { amount: '1' }, async (id) => {
      const error = await expectApiError(() => post('key'));
      expect([error.status, error.code]).toEqual([409, 'IDEMPOTENCY_IN_PROGRESS']);
      expect(error.retryAfterSeconds).toBeGreaterThan(0);
      return id;
    });
    expect(inside.body).toBe('id-1');
    expect(created).toEqual([]);
  });
});

describe('decisions 5, same request twice: the id is kept with the key before the work begins', () => {
  const fails = async () => {
    throw new Error('timeout');
  };

  test('so that a repetition after a failure finishes the first creation', async () => {
    const { once, call, post, created } = world();
    await expect(once(call('key'), { amount: '1' }, fails)).rejects.toThrow('timeout');
    expect((await post('key')).body.id).toBe('id-1');
    expect(created).toEqual(['id-1']);
  });

  test('so that a repetition after a crash finishes it too, once the first try must have ended', async () => {
    const { once, call, create, clock, created } = world();
    const crash = new Promise<never>(() => {});
    void once(call('key'), { amount: '1' }, () => crash);
    await Promise.resolve();
    expect((await expectApiError(() => once(call('key'), { amount: '1' }, create))).code).toBe(
      'IDEMPOTENCY_IN_PROGRESS',
    );
    clock.advance(60);
    expect((await once(call('key'), { amount: '1' }, create)).body.id).toBe('id-1');
    expect(created).toEqual(['id-1']);
  });

  test('an error because we are overloaded keeps the id too', async () => {
    const { once, call, post } = world();
    const overloaded = async () => {
      throw new ApiError(apiErrors.SERVICE_UNAVAILABLE);
    };
    expect((await expectApiError(() => once(call('key'), { amount: '1' }, overloaded))).code).toBe(
      'SERVICE_UNAVAILABLE',
    );
    expect((await post('key')).body.id).toBe('id-1');
  });

  test('and a repetition knows that it is one, so that it looks for what the first try has made', async () => {
    const { once, call } = world();
    const tries: boolean[] = [];
    const create = async (_: string, isFirstTry: boolean) => {
      tries.push(isFirstTry);
      if (isFirstTry) throw new Error('timeout');
      return 'done';
    };
    await expect(once(call('key'), { amount: '1' }, create)).rejects.toThrow('timeout');
    await once(call('key'), { amount: '1' }, create);
    await expect(once(call(undefined), { amount: '1' }, create)).rejects.toThrow('timeout');
    expect(tries).toEqual([true, false, true]);
  });

  test('so that a try that ends too late, and is refused, does not free the key that the next try has taken', async () => {
    const { once, call, create, clock, created } = world();
    let goOn = () => {};
    const stopped = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const late = once(call('key'), { amount: '1' }, async () => {
      await stopped;
      throw new ApiError(apiErrors.VALIDATION_FAILED);
    });
    await Promise.resolve();
    clock.advance(30);
    await once(call('key'), { amount: '1' }, create);
    goOn();
    expect((await expectApiError(() => late)).code).toBe('VALIDATION_FAILED');
    expect((await once(call('key'), { amount: '1' }, create)).headers).toEqual({ 'Idempotency-Replayed': 'true' });
    expect(created).toEqual(['id-1']);
  });

  test('after a failure another body is still another request', async () => {
    const { once, call, post } = world();
    await expect(once(call('key'), { amount: '1' }, fails)).rejects.toThrow('timeout');
    expect((await expectApiError(() => post('key', { amount: '2' }))).code).toBe('IDEMPOTENCY_KEY_REUSED');
  });
});

test('decisions 5, same request twice: a refused request frees its key, for another body too', async () => {
  const { once, call, post, created } = world();
  const refuse = async () => {
    throw new ApiError(apiErrors.VALIDATION_FAILED);
  };
  expect((await expectApiError(() => once(call('key'), { amount: '0' }, refuse))).code).toBe('VALIDATION_FAILED');
  expect((await post('key', { amount: '1' })).headers).toBeUndefined();
  expect(created).toHaveLength(1);
});

describe('decisions 5, same request twice: 1 to 255 printable characters', () => {
  test.each(['a', '~', ' ', 'a'.repeat(255), '{"key": "ü"}'.replace('ü', 'u')])('%j is a key', async (key) => {
    const { post } = world();
    await post(key);
    expect((await post(key)).headers).toEqual({ 'Idempotency-Replayed': 'true' });
  });

  test.each(['', 'a'.repeat(256), 'ü', 'a\tb', 'a\n', '\x7f', '\0', '😀'])('%j is no key', async (key) => {
    const { post, created } = world();
    const { code, errors } = await expectApiError(() => post(key));
    expect(code).toBe('VALIDATION_FAILED');
    expect(errors).toMatchObject([{ path: 'header.Idempotency-Key' }]);
    expect(created).toEqual([]);
  });

  test('parts of a scope that are joined differently are different scopes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ minLength: 1, unit: fc.constantFrom('a', '"', ',', '/') }),
        fc.nat(),
        async (text, at) => {
          const { post, created } = world();
          const cut = at % text.length;
          await post('key', {}, { clientId: text, userId: '' });
          await post('key', {}, { clientId: text.slice(0, cut), userId: text.slice(cut) });
          expect(created).toHaveLength(2);
        },
      ),
    );
  });
});
