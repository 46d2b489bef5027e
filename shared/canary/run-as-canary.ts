import { GetSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { type Call, connect } from '#sdk/connect.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { environment } from '#shared/platform/environment.ts';
import { describe, type Fields, gaugesLine, log, logEachCall } from '#shared/platform/logger.ts';
import { type CanarySecret, canarySecret } from './canary-secret.ts';
import { createFetch } from './fetch-as-client.ts';

export interface CanaryClients {
  readonly secretsManager: SecretsManagerClient;
  readonly writeLine: (line: string) => void;
}

export interface Canary {
  /** Name of the function. */
  readonly name: string;
  /** Prefix of its metrics. */
  readonly metric: string;
  /** Seconds after which a run has failed. */
  readonly mostSeconds: number;
  /**
   * True if the function reports that the canary is not set up. One function does: the one that is called each minute.
   */
  readonly saysIfNotSetUp?: true;
  readonly work: (call: Call, secret: CanarySecret, signal: AbortSignal) => Promise<void>;
}

type Outcome = Fields & { readonly canary: 'DONE' | 'FAILED' | 'NOT_SET_UP' };

/**
 * Calls the service as its clients do. Each run writes one line with its outcome, and one from which CloudWatch makes two
 * metrics: failures, 1 or 0, and seconds. It does not throw when the service fails: a run that throws reports nothing.
 */
export function createCanary(
  { secretsManager, writeLine }: CanaryClients,
  clock: Clock,
  { name, metric, mostSeconds, saysIfNotSetUp, work }: Canary,
) {
  const env = environment({
    secretId: 'CANARY_SECRET',
    baseUrl: 'BASE_URL',
    adminUrl: 'ADMIN_URL',
    metricsNamespace: 'METRICS_NAMESPACE',
  });

  /**
   * Reads the secret; `undefined` before anybody has set it up. It is not cached, so that a change takes effect at
   * once.
   */
  async function readSecret(): Promise<CanarySecret | undefined> {
    const text = await secretsManager.send(new GetSecretValueCommand({ SecretId: env.secretId })).then(
      ({ SecretString }) => SecretString,
      (error: unknown) => {
        if (error instanceof Error && error.name === 'ResourceNotFoundException') return undefined;
        throw error;
      },
    );
    if (text === undefined || text === '') return undefined;
    try {
      return canarySecret.parse(JSON.parse(text));
    } catch {
      // The parser's message may quote the secret.
      throw new Error('The secret of the canary is not in its format.');
    }
  }

  async function run(): Promise<Outcome> {
    const stop = new AbortController();
    let lastCall: string | undefined;
    const tried = async (): Promise<Outcome> => {
      const secret = await readSecret();
      if (secret === undefined) return { canary: 'NOT_SET_UP' };
      const { certificatePem: cert, privateKeyPem: key } = secret;
      const fetch = createFetch({ ...env, cert, key });
      const call = connect({
        baseUrl: env.baseUrl,
        credentials: secret,
        fetch: (url, init) => {
          lastCall = `${init.method} ${new URL(url).pathname}`;
          return fetch(url, { ...init, signal: AbortSignal.any([stop.signal, ...(init.signal ? [init.signal] : [])]) });
        },
        clock,
      });
      await work(call, secret, stop.signal);
      return { canary: 'DONE', lastCall };
    };
    const { promise: late, reject } = Promise.withResolvers<never>();
    const stopWaiting = clock.after(mostSeconds * 1000, () =>
      reject(new Error(`Not done after ${mostSeconds} seconds.`)),
    );
    try {
      return await Promise.race([tried(), late]);
    } catch (error) {
      return { canary: 'FAILED', lastCall, cause: describe(error) };
    } finally {
      stopWaiting();
      stop.abort();
    }
  }

  return logEachCall(
    name,
    clock,
    async () => {
      const startedAt = clock.now().getTime();
      const outcome = await run();
      const now = clock.now();
      // A missing setup raises a notice and is no failure, so that nobody is called at night for it.
      if (outcome.canary === 'NOT_SET_UP' && saysIfNotSetUp) log.error('CANARY_NOT_SET_UP');
      writeLine(
        gaugesLine(
          env.metricsNamespace,
          {
            [`${metric} failures`]: outcome.canary === 'FAILED' ? 1 : 0,
            ...(outcome.canary === 'DONE' && { [`${metric} seconds`]: (now.getTime() - startedAt) / 1000 }),
          },
          now,
        ),
      );
      return outcome;
    },
    (outcome) => outcome,
  );
}
