import * as z from 'zod/mini';
import { hashStatuses, hashStatusOf, type OperationStatus, operationStatuses } from '#shared/off-ramps/off-ramp.ts';
import type { Engine } from '#test/simulation/aws/dynamodb/engine.ts';
import type { OperationRecord } from './records.ts';
import { must } from './violation.ts';

const statusEvent = z.object({
  type: z.string(),
  data: z.object({
    operationId: z.string(),
    status: z.string(),
    previousStatus: z.nullable(z.string()),
    sequence: z.int(),
  }),
});

type StatusEvent = z.infer<typeof statusEvent>;

/** The events of the operations, in the order of their sequence. */
export function createEventStore({ tables }: Engine): readonly StatusEvent[] {
  const bodies = (tables.get('events')?.items() ?? []).map((item) => item['body']?.S ?? '');
  return bodies
    .map((body) => statusEvent.parse(JSON.parse(body)))
    .toSorted((one, other) => one.data.sequence - other.data.sequence);
}

/** One event for every change, each with the status before it: all events together describe the operation. */
export function checkEvents(operation: OperationRecord, events: readonly StatusEvent[]): void {
  const { id, history } = operation;
  const own = events.filter(({ data }) => data.operationId === id);
  const changes = own.filter(({ type }) => type === 'ramp.operation.status_changed').map(({ data }) => data);
  must('one event per status', changes.map(({ status }) => status).join() === history.join(), {
    id,
    events: changes.map(({ status }) => status).join(),
    history: history.join(),
  });
  checkChain(id, null, changes);
  const hashChanges = own.filter(({ type }) => type === 'ramp.deposit_hash.status_changed').map(({ data }) => data);
  checkChain(id, hashStatuses[0], hashChanges);
  const last = hashChanges.at(-1)?.status ?? hashStatuses[0];
  must('the last hash event is the hash status', last === hashStatusOf(hashFactsOf(operation)), { id, last });
}

function checkChain(id: string, first: string | null, changes: readonly StatusEvent['data'][]): void {
  for (const [position, { previousStatus, sequence }] of changes.entries()) {
    const before = changes[position - 1];
    const follows = previousStatus === (before?.status ?? first) && sequence > (before?.sequence ?? 0);
    must('every event follows the one before', follows, { id, sequence, previousStatus });
  }
}

function hashFactsOf({ status, txHash, verifiedTxHash }: OperationRecord) {
  const known = operationStatuses.find((one): one is OperationStatus => one === status);
  return { status: known ?? 'FAILED', txHash, verifiedTxHash };
}
