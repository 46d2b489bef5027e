import type { Clock } from '#shared/platform/clock.ts';
import { requestStatus } from '#shared/platform/request-status.ts';
import { retry } from '#shared/platform/retry.ts';
import type { SendAnswer } from './custom-resource.ts';

const TRIES = 4;
/** Milliseconds. */
const FIRST_PAUSE = 200;
const TIMEOUT = 3000;

class NotAccepted extends Error {}

/** Puts the answer to CloudFormation's address, an S3 object signed for a PUT without content type. */
export function createSendAnswer(clock: Clock): SendAnswer {
  return (url, body) => {
    const headers = { 'Content-Type': '', 'Content-Length': Buffer.byteLength(body) };
    const put = async () => {
      const status = await requestStatus(url, { method: 'PUT', headers, body, timeout: TIMEOUT });
      if (status !== 200) throw new NotAccepted(`CloudFormation did not accept the response: ${status}`);
    };
    return retry(put, {
      clock,
      when: (error) => error instanceof NotAccepted,
      pause: (failed) => FIRST_PAUSE * 2 ** (failed - 1),
      tries: TRIES,
    });
  };
}
