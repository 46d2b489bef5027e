import { describe, expect, test } from 'vitest';
import { operatorRoutes } from '#infra/operators/operator-routes.ts';
import { approveClientContract } from '#shared/clients/client-commands.ts';
import { clientErrors } from '#shared/clients/client-errors.ts';
import { readClientContract } from '#shared/clients/client-lookups.ts';
import { addUserContract } from '#shared/clients/user-commands.ts';
import { ApiError } from '#shared/platform/http/api-error.ts';
import { OMITTED_VALUE, withoutPersonalData } from '#shared/platform/http/personal.ts';
import type { AuditedChange, AuditedResult } from '#shared/platform/operators/audit-records.ts';
import { createAudit, createAuditedUseCase, subjectOfChange } from '#shared/platform/operators/audited.ts';
import { captureLogs } from '#test/support/capture-logs.ts';
import { expectApiError } from '#test/support/expect-api-error.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { httpRequest } from '#test/support/http-request.ts';
import { CLIENT } from '#test/support/ids.ts';
import { OPERATOR, operatorsWorld, REASON } from '#test/support/operators-world.ts';
import { routeCall } from '#test/support/route-call.ts';

const NOW = '2026-08-01T12:00:00.000Z';
/** How AWS identifies the signer, apart from the name of the session. */
const SIGNER = { principal: 'AROAEXAMPLE:session-1', accessKey: 'ASIAEXAMPLE' };

const AUDIT = '00000000-0000-4000-8000-000000000001';

type Step = 'CHANGE' | AuditedChange | AuditedResult;

/** One audited change, and its steps in order: the audit of the request, the change, the audit of the result. */
function change({ fails }: { fails?: 'ASKED' | 'ENDED' | 'CHANGE' } = {}) {
  const steps: Step[] = [];
  const step = async (name: string, one: Step) => {
    if (fails === name)
      throw name === 'CHANGE' ? new ApiError(clientErrors.USER_NOT_FOUND) : new Error('The table is out.');
    steps.push(one);
  };
  const useCase = createAuditedUseCase(
    {
      audit: { recordRequest: (one) => step('ASKED', one), recordResult: (one) => step('ENDED', one) },
      clock: fakeClock(NOW),
      newId: () => AUDIT,
    },
    approveClientContract,
    async ({ clientId }) => {
      await step('CHANGE', 'CHANGE');
      return { body: { clientId, eventId: 'evt_1' }, ids: { clientId } };
    },
  );
  const call = {
    ...routeCall(approveClientContract, {}, { arguments: { clientId: CLIENT }, reason: REASON }),
    http: httpRequest('', {}, { operator: OPERATOR, signer: SIGNER }),
  };
  return { steps, run: () => useCase(call) };
}

const asked = {
  auditId: AUDIT,
  at: NOW,
  who: OPERATOR,
  ...SIGNER,
  command: 'approve-client',
  arguments: { clientId: CLIENT },
  about: CLIENT,
  reason: REASON,
  requestId: 'request-1',
};

describe('decisions 11, audit: a change', () => {
  test('is in the audit before it is done, with who, why and what; its result is a second item', async () => {
    const { steps, run } = change();
    // The answer and the log line carry the audit id, by which the two items are found.
    expect(await run()).toMatchObject({ headers: { 'X-Audit-Id': AUDIT }, ids: { clientId: CLIENT, auditId: AUDIT } });
    expect(steps).toEqual([asked, 'CHANGE', { auditId: AUDIT, at: NOW, result: 'DONE', ids: { clientId: CLIENT } }]);
  });

  test('is not done when it cannot be written there', async () => {
    const { steps, run } = change({ fails: 'ASKED' });
    await expect(run()).rejects.toThrow('The table is out.');
    expect(steps).toEqual([]);
  });

  test('that fails has the code of its error there', async () => {
    const { steps, run } = change({ fails: 'CHANGE' });
    expect((await expectApiError(run)).code).toBe('USER_NOT_FOUND');
    expect(steps).toEqual([asked, { auditId: AUDIT, at: NOW, result: 'USER_NOT_FOUND' }]);
  });

  test('that was done stays done when its result cannot be written: an error says so', async () => {
    const lines = captureLogs();
    const { run } = change({ fails: 'ENDED' });
    expect((await run()).body).toMatchObject({ clientId: CLIENT });
    expect(lines).toMatchObject([
      { level: 'error', code: 'AUDIT_WITHOUT_RESULT', fields: { auditId: AUDIT, result: 'DONE' } },
    ]);
  });

  test('needs a reason', async () => {
    const { change, table } = operatorsWorld();
    for (const reason of ['', ' ', 'x'.repeat(501)]) {
      expect((await change(approveClientContract, { clientId: CLIENT }, reason)).status).toBe(422);
    }
    expect(table('audit').items()).toEqual([]);
  });

  test('of personal data is in the audit with the names of the fields, not their values', async () => {
    const { change, table } = operatorsWorld();
    table('clients').put({ clientId: CLIENT, complianceStatus: '', status: '', secretDigests: [] });
    await change(addUserContract, { clientId: CLIENT, payer: { fullName: 'Example Payer', phone: '3001234567' } });
    const [item] = table('audit').items();
    expect(item).toMatchObject({ arguments: { clientId: CLIENT, payer: ['fullName', 'phone'] } });
    expect(JSON.stringify(table('audit').items())).not.toMatch(/Example Payer|3001234567/);
  });
});

const changes = operatorRoutes.filter(({ contract }) => contract.method !== 'GET');

test.each(changes)(
  'decisions 11, who changed it: $contract.name is found by the id of its subject',
  ({ contract, example }) => {
    // A client that is still to be created has no id.
    if (contract.name === 'create-client') expect(subjectOfChange(contract.subject ?? [], example)).toBeUndefined();
    else expect(Object.values(example)).toContain(subjectOfChange(contract.subject ?? [], example));
  },
);

test.each(changes)(
  'decisions 11, audit: everything that $contract.name takes is kept, except personal data',
  ({ contract, example }) => {
    const asked = contract.body.parse({ arguments: example, reason: REASON });
    expect(JSON.stringify(withoutPersonalData(contract.body, asked))).not.toContain(OMITTED_VALUE);
  },
);

test('decisions 11, audit: no item is ever replaced', async () => {
  const { dynamo, table } = operatorsWorld();
  const audit = createAudit(dynamo, 'audit');
  await audit.recordRequest(asked);
  await audit.recordResult({ auditId: AUDIT, at: NOW, result: 'DONE' });
  const before = table('audit').items();
  await expect(audit.recordRequest({ ...asked, reason: 'Another one' })).rejects.toThrow();
  await expect(audit.recordResult({ auditId: AUDIT, at: NOW, result: 'NOT_FOUND' })).rejects.toThrow();
  expect(table('audit').items()).toEqual(before);
});

test('decisions 11, who: a caller without an identity of AWS is refused', async () => {
  const { change, look, table } = operatorsWorld();
  expect((await change(approveClientContract, { clientId: CLIENT }, REASON, null)).status).toBe(403);
  expect((await look(readClientContract, { clientId: CLIENT }, null)).status).toBe(403);
  expect(table('audit').items()).toEqual([]);
});
