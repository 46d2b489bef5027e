import type { Clock } from '#shared/runtime/clock.ts';
import { requestStatus } from '#shared/runtime/request-status.ts';
import type { SendAnswer } from './custom-resource.ts';

const TRIES = 4;
/** Milliseconds. */
const FIRST_PAUSE = 200;
const TIMEOUT = 3000;

/** Puts the answer to CloudFormation's address, an object of S3 that is signed for a PUT without content type. */
export function answerSender(clock: Clock): SendAnswer {
  return async (url, body) => {
    const headers = { 'Content-Type': '', 'Content-Length': Buffer.byteLength(body) };
    for (let attempt = 1; ; attempt += 1) {
      const status = await requestStatus(url, { method: 'PUT', headers, body, timeout: TIMEOUT });
      if (status === 200) return;
      if (attempt === TRIES) throw new Error(`CloudFormation did not accept the response: ${status}`);
      await clock.sleep(FIRST_PAUSE * 2 ** (attempt - 1));
    }
  };
}
