import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';

interface Sent {
  readonly method: 'POST' | 'PUT';
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body: string;
  /** Milliseconds that the connection may be idle. */
  readonly timeout: number;
}

/** Sends a request to an endpoint of this service or of AWS. Returns the status of the answer; 0 when there is none. */
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
