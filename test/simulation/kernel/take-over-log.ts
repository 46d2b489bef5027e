import * as z from 'zod/mini';
import { log } from '#shared/platform/logger.ts';

interface Watch {
  /** Receives each line of level ERROR. */
  readonly onError: (code: string, fields: Readonly<Record<string, unknown>>) => void;
  readonly tell: (line: () => string) => void;
  /** Ends the round. */
  readonly fail: (error: unknown) => void;
}

const failedRequest = z.object({ error: z.literal('INTERNAL_ERROR'), cause: z.string() });

/** Causes of a 500 that AWS may return; any other cause is a fault of the service, which its answer does not show. */
const FAULT_OF_AWS = /^(\w+Exception|InternalServerError|TimeoutError): /;

/** Redirects the service's log lines until it is disposed. */
export function takeOverLog({ tell, onError, fail }: Watch): Disposable {
  const before = { ...log };
  const line = (level: string) => (code: string, fields?: object) =>
    tell(() => `${level} ${code} ${JSON.stringify(fields)}`);
  const tellError = line('ERROR');
  const error = (code: string, fields?: object) => {
    tellError(code, fields);
    onError(code, { ...fields });
    const { data } = failedRequest.safeParse(fields);
    if (data !== undefined && !FAULT_OF_AWS.test(data.cause)) fail(new Error(`${code}: ${data.cause}`));
  };
  Object.assign(log, { info: line('info'), warn: line('WARN'), error });
  return {
    [Symbol.dispose]() {
      Object.assign(log, before);
    },
  };
}
