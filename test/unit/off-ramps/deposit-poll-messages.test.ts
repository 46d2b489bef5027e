import { SQSClient } from '@aws-sdk/client-sqs';
import { expect, test } from 'vitest';
import { createSendDepositPoll } from '#shared/off-ramps/deposit-poll-messages.ts';

/** What is sent for a poll of each of these. */
async function sentFor(...custodianTransferIds: readonly string[]) {
  const sent: unknown[] = [];
  const sqs = Object.assign(new SQSClient({ region: 'us-east-1' }), {
    send: async ({ input }: { readonly input: unknown }) => {
      sent.push(input);
      return {};
    },
  });
  const send = createSendDepositPoll(sqs, 'queue');
  for (const custodianTransferId of custodianTransferIds) {
    await send({ custodianTransferId, nextPollAt: '2026-08-01T12:00:00.000Z' }, 0);
  }
  return sent;
}

test('deposits do not wait behind hashes, however many hashes clients hand over: either have groups of their own', async () => {
  const sent = await sentFor('HASH#POLYGON#0x1', 'HASH#TRON#2', 'transfer-1', 'transfer-2');
  expect(sent).toMatchObject([
    { MessageGroupId: 'hashes' },
    { MessageGroupId: 'hashes' },
    { MessageGroupId: 'deposits' },
    { MessageGroupId: 'deposits' },
  ]);
});
