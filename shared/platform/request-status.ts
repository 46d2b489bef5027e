import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';

interface Sent {
  readonly method: 'POST' | 'PUT';
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body: string;
  /** Milliseconds without a byte of the answer. */
  readonly timeout: number;
}

/** The status that a request to a service of our own or of AWS is answered with; 0 when there is no answer. */
export function requestStatus(url: URL, { method, headers, body, timeout }: Sent): Promise<number> {
  // The local AWS is reached without TLS.
  const send = url.protocol === 'http:' ? httpRequest : httpsRequest;
  return new Promise((resolve) => {
    const request = send(url, { method, headers, timeout }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    request.on('timeout', () => request.destroy());
    request.on('error', () => resolve(0));
    request.end(body);
  });
}
