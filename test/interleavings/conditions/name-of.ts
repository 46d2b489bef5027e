import type { Write } from '#test/simulation/aws/dynamodb/write.ts';

/**
 * What a condition is called: the use case, told by what it writes, whose item is guarded, and the condition as it is
 * written. The same in every round, so that it can be taken away wherever it is met.
 */
export function nameOf(write: Write, condition: string, transaction: readonly Write[]): string {
  return `${placeOf(transaction)} | ${verbs[write.kind]} ${itemOf(write)} | ${condition}`;
}

export function useCaseOf(name: string): string {
  return name.slice(0, name.indexOf(' | '));
}

const verbs = { Put: 'put', Update: 'update', Delete: 'delete', ConditionCheck: 'check' } as const;

interface Place {
  readonly name: string;
  /** Writes that are all there. */
  readonly writes: readonly string[];
  /** In the update of the first of them. */
  readonly updates?: string;
}

/** The first that fits. */
const places: readonly Place[] = [
  { name: 'create', writes: ['Put OPERATION'] },
  { name: 'submit', writes: ['Put VERIFICATION'] },
  { name: 'confirm', writes: ['Put FUNDED'] },
  { name: 'end of window', writes: ['Update OPERATION', 'Update VERIFICATION'] },
  { name: 'end of operation', writes: ['Update OPERATION'] },
  { name: 'next run', writes: ['Update VERIFICATION'], updates: '#run' },
  { name: 'check', writes: ['Update VERIFICATION'], updates: '#lastCheckedAt' },
  { name: 'no check to come', writes: ['Update VERIFICATION'] },
  { name: 'search of a hash', writes: ['Put HASH'] },
  { name: 'poll of a hash', writes: ['Update HASH'], updates: '#nextPollAt' },
  { name: 'release of a hash', writes: ['Update HASH'] },
  { name: 'found by hash', writes: ['Update deposit'], updates: 'firstNotifiedAt' },
  { name: 'poll', writes: ['Update deposit'], updates: '#nextPollAt' },
  { name: 'release', writes: ['Update deposit'] },
];

function placeOf(transaction: readonly Write[]): string {
  const items = transaction.map((write) => `${write.kind} ${itemOf(write)}`);
  const fits = ({ writes: [first = '', ...others], updates = '' }: Place) => {
    const update = transaction[items.indexOf(first)]?.UpdateExpression ?? '';
    return [first, ...others].every((one) => items.includes(one)) && update.includes(updates);
  };
  const place = places.find(fits);
  if (place === undefined) throw new Error(`Give the place of this write a name: ${items.join(', ')}`);
  return place.name;
}

function itemOf({ TableName, Key, Item }: Write): string {
  const key = Key ?? Item ?? {};
  const claim = key['claim']?.S ?? key['custodianTransferId']?.S;
  if (claim?.includes('#')) return claim.slice(0, claim.indexOf('#'));
  return key['record']?.S ?? TableName?.replace(/s$/, '') ?? '';
}
