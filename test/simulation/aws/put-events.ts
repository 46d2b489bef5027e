import {
  EventBridgeServiceException,
  InternalException,
  type PutEventsRequestEntry,
} from '@aws-sdk/client-eventbridge';

const MOST_ENTRIES = 10;

/** The largest sum of a call's entries, in bytes. */
const LARGEST_CALL = 1_048_576;

/** An entry that the bus accepts. */
export interface CheckedEntry {
  readonly source: string;
  readonly type: string;
  readonly detail: object;
}

/** Why the bus refuses an entry. */
export interface EntryRefusal {
  readonly ErrorCode: string;
  readonly ErrorMessage: string;
}

/** @throws EventBridge's error for a call that it refuses as a whole */
export function checkCall(entries: readonly PutEventsRequestEntry[]): void {
  const size = entries.reduce((sum, entry) => sum + sizeOf(entry), 0);
  if (entries.length === 0 || entries.length > MOST_ENTRIES) throw invalid(`There are ${entries.length} entries.`);
  if (size > LARGEST_CALL) throw invalid('Total size of the entries in the request is over the limit.');
}

export function checkEntry({ Source, DetailType, Detail }: PutEventsRequestEntry): CheckedEntry | EntryRefusal {
  if (!Source)
    return refusal('InvalidArgument', 'Parameter Source is not valid. Reason: Source is a required argument.');
  if (Source.startsWith('aws.')) return refusal('NotAuthorizedForSourceException', 'Not authorized for the source.');
  if (!DetailType) return refusal('InvalidArgument', 'Parameter DetailType is not valid.');
  if (!Detail)
    return refusal('InvalidArgument', 'Parameter Detail is not valid. Reason: Detail is a required argument.');
  const detail = objectIn(Detail);
  return detail ? { source: Source, type: DetailType, detail } : refusal('MalformedDetail', 'Detail is malformed.');
}

/** EventBridge fails at the moment; the SDK has tried three times. */
export function busRefusal(): InternalException {
  return new InternalException({ message: 'This exception occurs due to unexpected causes.', $metadata: {} });
}

/** Errors of an entry while the others of its call are taken. */
export const entryRefusals = [
  refusal('ThrottlingException', 'Rate exceeded.'),
  refusal('InternalFailure', 'Internal Service Failure'),
] as const;

function objectIn(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The size in bytes, as EventBridge counts it. */
function sizeOf({ Source = '', DetailType = '', Detail = '' }: PutEventsRequestEntry): number {
  return Buffer.byteLength(Source) + Buffer.byteLength(DetailType) + Buffer.byteLength(Detail);
}

function refusal(ErrorCode: string, ErrorMessage: string): EntryRefusal {
  return { ErrorCode, ErrorMessage };
}

function invalid(message: string): EventBridgeServiceException {
  return new EventBridgeServiceException({ name: 'ValidationException', $fault: 'client', message, $metadata: {} });
}
