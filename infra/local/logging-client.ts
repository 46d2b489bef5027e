import type { DemoClient } from '#infra/cli/local-outputs.ts';
import { type Call, connect } from '#sdk/connect.ts';
import type { Progress } from './progress.ts';

/** Calls the service as a demo client and logs each call; makes no call once the signal has aborted. */
export function createLoggingClient(
  baseUrl: string,
  credentials: DemoClient,
  { say }: Progress,
  signal: AbortSignal,
): Call {
  return connect({
    baseUrl,
    credentials,
    fetch: async (url, init) => {
      signal.throwIfAborted();
      const answer = await fetch(url, init);
      say(`  ${answer.status}  ${init.method} ${url.replace(baseUrl, '')}`);
      return answer;
    },
  });
}
