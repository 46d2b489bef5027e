import { InvalidMessageContents, type SendMessageCommandInput, SQSServiceException } from '@aws-sdk/client-sqs';
import { Unsupported } from './dynamodb/unsupported.ts';

/** In bytes. */
const LARGEST_MESSAGE = 1_048_576;

/** In seconds. */
const LONGEST_DELAY = 900;

/** Characters that XML 1.0 can hold. */
const CONTENTS = /^[\t\n\r -\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]+$/u;

const GROUP = /^[\w!"#$%&'()*+,\-./:;<=>?@[\\\]^`{|}~]{1,128}$/;

/** The parameters that are implemented. */
const KNOWN = ['QueueUrl', 'MessageBody', 'MessageGroupId', 'DelaySeconds'];

/** @throws SQS's error for a message that it refuses */
export function checkMessage(input: SendMessageCommandInput): { readonly body: string } {
  const unknown = Object.keys(input).find((name) => !KNOWN.includes(name));
  if (unknown !== undefined) throw new Unsupported(`SendMessage with ${unknown}`);
  const { MessageBody: body, MessageGroupId: group, DelaySeconds: delay = 0 } = input;
  if (body === undefined || body === '') throw refusal('MissingParameter', 'The request must contain a MessageBody.');
  if (Buffer.byteLength(body) > LARGEST_MESSAGE)
    throw invalid(`Message must be shorter than ${LARGEST_MESSAGE} bytes.`);
  if (!CONTENTS.test(body)) throw new InvalidMessageContents({ message: 'Invalid characters.', $metadata: {} });
  if (!Number.isInteger(delay) || delay < 0 || delay > LONGEST_DELAY) throw invalid(`DelaySeconds is ${delay}.`);
  if (group !== undefined && !GROUP.test(group)) throw invalid(`MessageGroupId is ${group}.`);
  return { body };
}

/** SQS fails at the moment; the SDK has tried three times. */
export function sqsRefusal(): SQSServiceException {
  return refusal('ThrottlingException', 'The request was denied due to request throttling.');
}

function invalid(reason: string): SQSServiceException {
  return refusal('InvalidParameterValue', `One or more parameters are invalid. Reason: ${reason}`);
}

function refusal(name: string, message: string): SQSServiceException {
  return new SQSServiceException({ name, $fault: 'client', message, $metadata: {} });
}
