import { expect, test } from 'vitest';
import { createAuthoriseApproved } from '#shared/clients/approved-endpoint.ts';
import { expectApiError } from '#test/support/expect-api-error.ts';
import { CLIENT } from '#test/support/ids.ts';

const clientWith = (complianceStatus: string, status: string) => async () => ({
  clientId: CLIENT,
  complianceStatus,
  status,
  secretDigests: [],
});

test('interface 5.4: a client whose complianceStatus and status are both approved may operate', async () => {
  expect(await createAuthoriseApproved(clientWith('approved', 'approved'))(CLIENT, {})).toBeUndefined();
});

test.each([
  ['approved', 'pending'],
  ['pending', 'approved'],
  ['rejected', 'rejected'],
  ['APPROVED', 'approved'],
  ['', ''],
])('interface 5.4: a client with %j and %j may not operate', async (complianceStatus, status) => {
  const error = await expectApiError(() => createAuthoriseApproved(clientWith(complianceStatus, status))(CLIENT, {}));
  expect([error.status, error.code]).toEqual([403, 'CLIENT_NOT_APPROVED']);
});

test('decisions 1: a client that no longer exists may not operate', async () => {
  expect((await expectApiError(() => createAuthoriseApproved(async () => undefined)(CLIENT, {}))).code).toBe(
    'CLIENT_NOT_APPROVED',
  );
});

test('decisions 1: the approval is read at the time of the call', async () => {
  let status = 'approved';
  const authorise = createAuthoriseApproved((clientId) => clientWith('approved', clientId === CLIENT ? status : '')());
  expect(await authorise(CLIENT, {})).toBeUndefined();
  status = 'suspended';
  expect((await expectApiError(() => authorise(CLIENT, {}))).code).toBe('CLIENT_NOT_APPROVED');
});

test('decisions 1, production: a client whose certificate is not one of those named for it changes nothing', async () => {
  const [own, next] = ['CN=client.example', 'CN=next.client.example'];
  const client = { ...(await clientWith('approved', 'approved')()), certificateSubjects: [own, next] };
  const authorise = createAuthoriseApproved(async () => client);
  for (const certificateSubject of [own, next]) expect(await authorise(CLIENT, { certificateSubject })).toBeUndefined();
  for (const certificateSubject of [undefined, '', 'CN=other.example', `${own},O=Else`])
    expect((await expectApiError(() => authorise(CLIENT, { certificateSubject }))).code).toBe('UNAUTHORIZED');
  const unnamed = createAuthoriseApproved(async () => ({ ...client, certificateSubjects: [] }));
  expect(await unnamed(CLIENT, { certificateSubject: 'CN=other.example' })).toBeUndefined();
});
