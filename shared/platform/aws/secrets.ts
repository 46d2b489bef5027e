import { GetSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { Clock } from '#shared/platform/clock.ts';
import { Unavailable } from '#shared/platform/retry.ts';

/** Milliseconds for which a secret is cached: a changed one is used after this time at the latest. */
const KEPT_FOR = 5 * 60_000;

/** Milliseconds after a read in which a rejected secret is not read again. */
const JUST_READ = 10_000;

/** The provider rejects the credentials in a secret. */
export interface SecretRefusal extends Error {
  readonly refusesSecret: true;
}

interface Kept<Value> {
  readonly value: Promise<Value>;
  readonly readAt: number;
}

/**
 * A secret of Secrets Manager, parsed by `read`. It is cached for five minutes. When the provider rejects it, it is
 * read again at once, but only once (decisions.md 12, What a provider needs). Neither the secret nor the message of an
 * error about it is ever logged.
 */
export function createSecret<Value>(
  { secretsManager, clock }: { readonly secretsManager: SecretsManagerClient; readonly clock: Clock },
  name: string,
  read: (text: string) => Value,
) {
  let kept: Kept<Value> | undefined;
  /** The last parsed value, so that the same text keeps the same value. */
  let last: { readonly text: string | undefined; readonly value: Value } | undefined;

  const fetch = async (): Promise<Value> => {
    let text: string | undefined;
    try {
      ({ SecretString: text } = await secretsManager.send(new GetSecretValueCommand({ SecretId: name })));
    } catch (error) {
      throw new Unavailable(`The secret ${name} cannot be read: ${error instanceof Error ? error.name : 'no error'}.`);
    }
    if (last === undefined || text !== last.text) last = { text, value: parse(text) };
    return last.value;
  };

  const parse = (text: string | undefined): Value => {
    try {
      if (text !== undefined) return read(text);
    } catch {
      // The parser's message may quote the secret.
    }
    throw new Unavailable(`The secret ${name} is not in its format.`);
  };

  const fresh = (age: number): Kept<Value> => {
    const now = clock.now().getTime();
    if (kept !== undefined && now - kept.readAt < age) return kept;
    const made = { value: fetch(), readAt: now };
    kept = made;
    made.value.catch(() => {
      if (kept === made) kept = undefined;
    });
    return made;
  };

  return {
    /** Starts to read the secret while the function starts; a fault shows when the secret is used. */
    warmUp: () => void fresh(KEPT_FOR),

    /**
     * Calls with the secret. If the provider rejects it, calls once more with the secret as this or another call has
     * read it again. A secret that was just read is not read again: then the refusal is thrown.
     */
    use: async <Answer>(ask: (value: Value) => Promise<Answer>): Promise<Answer> => {
      const first = fresh(KEPT_FOR);
      try {
        return await ask(await first.value);
      } catch (error) {
        if (!isRefusal(error)) throw error;
        const again = fresh(JUST_READ);
        if (again === first) throw error;
        return await ask(await again.value);
      }
    },
  };
}

export type Secret<Value> = ReturnType<typeof createSecret<Value>>;

function isRefusal(error: unknown): error is SecretRefusal {
  return error instanceof Error && 'refusesSecret' in error && error.refusesSecret === true;
}
