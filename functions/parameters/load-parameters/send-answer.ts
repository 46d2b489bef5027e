import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Clock } from '#shared/runtime/clock.ts';
import type { SendAnswer } from './custom-resource.ts';

const TRIES = 4;
/** Milliseconds. */
const FIRST_PAUSE = 200;
const TIMEOUT = 3000;

/** Puts the answer to CloudFormation's address, an object of S3 that is signed for a PUT without content type. */
export function answerSender(clock: Clock): SendAnswer {
  return async (url, answer) => {
    for (let attempt = 1; ; attempt += 1) {
      const status = await put(url, answer);
      if (status === 200) return;
      if (attempt === TRIES) throw new Error(`CloudFormation's address took no answer: ${status}`);
      await clock.sleep(FIRST_PAUSE * 2 ** (attempt - 1));
    }
  };
}

/** The status of the answer; 0 when there is none. The local AWS is reached without TLS. */
function put(url: URL, body: string): Promise<number> {
  const send = url.protocol === 'http:' ? httpRequest : httpsRequest;
  const headers = { 'Content-Type': '', 'Content-Length': Buffer.byteLength(body) };
  return new Promise((resolve) => {
    const request = send(url, { method: 'PUT', headers, timeout: TIMEOUT }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    request.on('timeout', () => request.destroy());
    request.on('error', () => resolve(0));
    request.end(body);
  });
}
