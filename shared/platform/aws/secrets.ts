import { GetSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { Clock } from '#shared/platform/clock.ts';
import { Unavailable } from '#shared/platform/retry.ts';

/** Milliseconds for which a secret is kept: a changed one is used after that at the latest. */
const KEPT_FOR = 5 * 60_000;

/** Milliseconds in which a refused secret is not read again: it was just read. */
const JUST_READ = 10_000;

/** A provider refuses what we sign in with. */
export interface Refusal extends Error {
  readonly refusesSecret: true;
}

interface Kept<Value> {
  readonly value: Promise<Value>;
  readonly readAt: number;
}

/**
 * A secret of Secrets Manager, as `read` understands it. It is kept for five minutes and, when the provider refuses it,
 * read again at once, once (decisions.md 12, What a provider needs). Neither it nor the message of an error about it is
 * ever logged.
 */
export function createSecret<Value>(
  { secretsManager, clock }: { readonly secretsManager: SecretsManagerClient; readonly clock: Clock },
  name: string,
  read: (text: string) => Value,
) {
  let kept: Kept<Value> | undefined;
  /** What is understood of the same text stays the same value. */
  let last: { readonly text: string | undefined; readonly value: Value } | undefined;

  const fetch = async (): Promise<Value> => {
    let text: string | undefined;
    try {
      ({ SecretString: text } = await secretsManager.send(new GetSecretValueCommand({ SecretId: name })));
    } catch (error) {
      throw new Unavailable(`The secret ${name} cannot be read: ${error instanceof Error ? error.name : 'no error'}.`);
    }
    if (last === undefined || text !== last.text) last = { text, value: understood(text) };
    return last.value;
  };

  const understood = (text: string | undefined): Value => {
    try {
      if (text !== undefined) return read(text);
    } catch {
      // What was read is in the message.
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
    /** Reads it while the function starts; a fault shows when it is used. */
    warmUp: () => void fresh(KEPT_FOR),

    /** Asks with the secret, and once more when it is refused and another one is there meanwhile. */
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

function isRefusal(error: unknown): error is Refusal {
  return error instanceof Error && 'refusesSecret' in error && error.refusesSecret === true;
}
