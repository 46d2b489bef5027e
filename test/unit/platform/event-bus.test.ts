import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { expect, onTestFinished, test, vi } from 'vitest';
import { eventBus } from '#shared/platform/aws/event-bus.ts';
import { captureLogs } from '#test/support/capture-logs.ts';

const entry = (status: string) => ({ source: 'payments.payouts', type: 'operation.status', detail: { status } });

/** A bus that answers as given. */
function answering(Entries: readonly { EventId?: string; ErrorCode?: string }[]) {
  const client = new EventBridgeClient({ region: 'us-east-1' });
  const send = vi.spyOn(client, 'send').mockImplementation(async () => ({ Entries, $metadata: {} }));
  onTestFinished(() => client.destroy());
  return { put: eventBus(client, 'the-bus').put, send };
}

test('every event is put on the one bus, with its detail as JSON', async () => {
  const { put, send } = answering([{ EventId: '1' }, { EventId: '2' }]);
  expect(await put([entry('COMPLETED'), entry('FAILED')])).toEqual([]);
  const [command] = send.mock.calls[0] ?? [];
  expect(command?.input).toEqual({
    Entries: ['COMPLETED', 'FAILED'].map((status) => ({
      EventBusName: 'the-bus',
      Source: 'payments.payouts',
      DetailType: 'operation.status',
      Detail: JSON.stringify({ status }),
    })),
  });
});

test('events that it did not take are named by their positions, although the call succeeded', async () => {
  const lines = captureLogs();
  const { put } = answering([{ ErrorCode: 'ThrottlingException' }, { EventId: '2' }, { ErrorCode: 'InternalFailure' }]);
  expect(await put([entry('COMPLETED'), entry('FAILED'), entry('CANCELLED')])).toEqual([0, 2]);
  expect(lines).toEqual([
    { level: 'warn', code: 'EVENTS_NOT_TAKEN', fields: { count: 2, codes: 'ThrottlingException,InternalFailure' } },
  ]);
});

test('an event that the answer does not mention was not taken', async () => {
  captureLogs();
  expect(await answering([{ EventId: '1' }]).put([entry('COMPLETED'), entry('FAILED')])).toEqual([1]);
});
