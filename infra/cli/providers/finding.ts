/** What the answer to a question says of the stage: as it says, otherwise, or nothing that a program could judge. */
type Verdict = 'agrees' | 'differs' | 'unknown';

export interface Finding {
  readonly verdict: Verdict;
  readonly said: string;
}

/** A question that only a provider's own server answers, for the day on which there are credentials. */
export interface Question {
  readonly about: string;
  /** What is asked, as a person would: with whichever client signs for it. */
  readonly request: string;
  readonly ask: () => Promise<Finding>;
}

/** What changes something there, or loads it: a person does it, in a workspace for tests. */
export interface ByHand {
  readonly about: string;
  readonly request: string;
}

export const agrees = (said: string): Finding => ({ verdict: 'agrees', said });
export const differs = (said: string): Finding => ({ verdict: 'differs', said });
export const unknown = (said: string): Finding => ({ verdict: 'unknown', said });

/** Whether two lists say the same, with what only one of them has. */
export function compareLists(ours: readonly string[], theirs: readonly string[]): Finding {
  const lacking = ours.filter((one) => !theirs.includes(one));
  const more = theirs.filter((one) => !ours.includes(one));
  if (lacking.length + more.length === 0) return agrees(ours.join(', '));
  const said = [
    ...(lacking.length > 0 ? [`the provider lacks ${lacking.join(', ')}`] : []),
    ...(more.length > 0 ? [`the stage lacks ${more.join(', ')}`] : []),
  ];
  return differs(said.join('; '));
}

/** An answer that is not 2xx: its status, and how it begins. */
export class NotAnswered extends Error {
  override readonly name = 'NotAnswered';
  readonly status: number;

  constructor(status: number, text: string) {
    super(`it is answered with ${status}${text === '' ? '' : `: ${text.slice(0, 200)}`}`);
    this.status = status;
  }
}

/** What it returns is asked once, when it is first wanted. */
export function lazily<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
