/** How an answer compares with the stage: the same, different, or nothing that a program could judge. */
type Verdict = 'agrees' | 'differs' | 'unknown';

export interface Finding {
  readonly verdict: Verdict;
  readonly said: string;
}

/** A question that only a provider's own server answers, for the day on which there are credentials. */
export interface Question {
  readonly about: string;
  /** The request as a person would send it, with any client that signs for it. */
  readonly request: string;
  readonly ask: () => Promise<Finding>;
}

/** A check that changes something at the provider, or loads it: a person makes it, in a workspace for tests. */
export interface ManualCheck {
  readonly about: string;
  readonly request: string;
}

export const agreement = (text: string): Finding => ({ verdict: 'agrees', said: text });
export const difference = (text: string): Finding => ({ verdict: 'differs', said: text });
export const undecided = (text: string): Finding => ({ verdict: 'unknown', said: text });

/** Compares two lists, and names what only one of them has. */
export function compareLists(ours: readonly string[], theirs: readonly string[]): Finding {
  const lacking = ours.filter((one) => !theirs.includes(one));
  const more = theirs.filter((one) => !ours.includes(one));
  if (lacking.length + more.length === 0) return agreement(ours.join(', '));
  const differences = [
    ...(lacking.length > 0 ? [`the provider lacks ${lacking.join(', ')}`] : []),
    ...(more.length > 0 ? [`the stage lacks ${more.join(', ')}`] : []),
  ];
  return difference(differences.join('; '));
}

/** An answer that is not 2xx: its status, and the beginning of its text. */
export class ErrorAnswer extends Error {
  override readonly name = 'ErrorAnswer';
  readonly status: number;

  constructor(status: number, text: string) {
    super(`it is answered with ${status}${text === '' ? '' : `: ${text.slice(0, 200)}`}`);
    this.status = status;
  }
}

/** Makes a value at the first call, and keeps it. */
export function memoize<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
