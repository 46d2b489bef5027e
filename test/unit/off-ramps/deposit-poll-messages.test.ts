import { type SendMessageCommand, type SendMessageCommandInput, SQSClient } from '@aws-sdk/client-sqs';
import { expect, test } from 'vitest';
import { createSendDepositPoll, parseDepositPoll } from '#shared/off-ramps/store/deposit-polls.ts';

const nextPollAt = '2026-08-01T12:00:00.000Z';

/** The messages that are sent for a poll of each of these transfers. */
async function sentFor(custodianTransferIds: readonly string[], delaySeconds = 0) {
  const sent: SendMessageCommandInput[] = [];
  const sqs = Object.assign(new SQSClient({ region: 'us-east-1' }), {
    send: async ({ input }: SendMessageCommand) => {
      sent.push(input);
      return {};
    },
  });
  const send = createSendDepositPoll(sqs, 'queue');
  for (const custodianTransferId of custodianTransferIds) await send({ custodianTransferId, nextPollAt }, delaySeconds);
  return sent;
}

test('neither deposits nor other clients wait behind the hashes of one client: each has its own message group', async () => {
  const sent = await sentFor(['HASH#a#POLYGON#0x1', 'HASH#b#TRON#2', 'transfer-1', 'transfer-2']);
  expect(sent).toMatchObject([
    { MessageGroupId: 'hashes#a' },
    { MessageGroupId: 'hashes#b' },
    { MessageGroupId: 'deposits' },
    { MessageGroupId: 'deposits' },
  ]);
});

test('a message says which poll it is for', async () => {
  const [sent] = await sentFor(['transfer-1']);
  expect(sent?.QueueUrl).toBe('queue');
  expect(parseDepositPoll(sent?.MessageBody ?? '')).toEqual({ custodianTransferId: 'transfer-1', nextPollAt });
});

test.each([
  [-5, 0],
  [0, 0],
  [0.2, 1],
  [899.5, 900],
  [100_000, 900],
])(
  'a delay of %d seconds is one of %i: whole, not before the poll is due, and at most what SQS takes',
  async (delay, kept) => {
    expect(await sentFor(['transfer-1'], delay)).toMatchObject([{ DelaySeconds: kept }]);
  },
);
