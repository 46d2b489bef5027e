import type { Write } from '#test/simulation/aws/dynamodb/write.ts';

interface UseCase {
  readonly name: string;
  /** Writes that are all there, alone or in one transaction. */
  readonly writes: readonly string[];
  /** In what the update of the first of them says. */
  readonly updates?: string;
}

/** What the service does, told by what it writes: the first that fits. */
const useCases: readonly UseCase[] = [
  { name: 'create', writes: ['put OPERATION'] },
  { name: 'submit', writes: ['put VERIFICATION'] },
  { name: 'confirm', writes: ['put FUNDED'] },
  { name: 'end of window', writes: ['update OPERATION', 'update VERIFICATION'] },
  { name: 'end of operation', writes: ['update OPERATION'], updates: '#status = :status' },
  { name: 'contradiction', writes: ['update OPERATION'], updates: '#contradictions = ' },
  { name: 'expiry of operation', writes: ['update OPERATION'], updates: 'expiresAt' },
  { name: 'next run', writes: ['update VERIFICATION'], updates: '#run' },
  { name: 'check', writes: ['update VERIFICATION'], updates: '#lastCheckedAt' },
  { name: 'no check to come', writes: ['update VERIFICATION'] },
  { name: 'search of a hash', writes: ['put HASH'] },
  { name: 'search of a hash', writes: ['update HASH'], updates: '#endsAt' },
  { name: 'count of reports', writes: ['update REPORTS'] },
  { name: 'poll of a hash', writes: ['update HASH'], updates: '#nextPollAt' },
  { name: 'release of a hash', writes: ['update HASH'] },
  { name: 'found by hash', writes: ['update deposit'], updates: 'firstNotifiedAt' },
  { name: 'poll', writes: ['update deposit'], updates: '#nextPollAt' },
  { name: 'poll now', writes: ['update deposit'], updates: 'nextPollAt = :at' },
  { name: 'release', writes: ['update deposit'] },
  { name: 'create pay-in', writes: ['put PAYIN'] },
  { name: 'order pay-in', writes: ['update PAYIN'], updates: '#orderingSince' },
  { name: 'end mismatch', writes: ['update PAYIN'], updates: '#mismatchEnds = ' },
  { name: 'poll now', writes: ['update PAYIN'], updates: 'nextPollAt = :at' },
  { name: 'settle pay-in', writes: ['update PAYIN'] },
  { name: 'audit', writes: ['put ASKED'] },
  { name: 'audit', writes: ['put ENDED'] },
  { name: 'client status', writes: ['update client'] },
  { name: 'fan out', writes: ['put delivery'] },
  { name: 'claim attempt', writes: ['update delivery'], updates: 'claimToken = :token' },
  { name: 'deliver again', writes: ['update delivery'], updates: 'queuedAt = :now' },
  { name: 'release delivery', writes: ['update delivery'], updates: 'dueAt = :lost' },
  { name: 'end attempt', writes: ['update delivery'] },
  { name: 'take slot', writes: ['put slot'] },
  { name: 'free slot', writes: ['delete slot'] },
  { name: 'circuit', writes: ['put webhookHealth'] },
  { name: 'register webhook', writes: ['put webhook'] },
  { name: 'remove webhook', writes: ['delete webhook'] },
  { name: 'change webhook', writes: ['update webhook'] },
  { name: 'count of costly calls', writes: ['update allowance'], updates: '#used = ' },
  { name: 'take token', writes: ['update allowance'], updates: 'usedUntil' },
  { name: 'notice of a limit', writes: ['update allowance'], updates: '#told = ' },
  { name: 'take key', writes: ['update idempotency'], updates: 'requestDigest = :request' },
  { name: 'retake key', writes: ['update idempotency'], updates: 'claimToken = :token' },
  { name: 'answer under key', writes: ['update idempotency'], updates: 'answer = :answer' },
  { name: 'free key', writes: ['update idempotency'] },
  { name: 'forget key', writes: ['delete idempotency'] },
  { name: 'other event', writes: ['put event'] },
];

export function useCaseOf(transaction: readonly Write[]): string {
  const writes = transaction.map(nameOfWrite);
  const fits = ({ writes: [first = '', ...others], updates = '' }: UseCase) => {
    const update = transaction[writes.indexOf(first)]?.UpdateExpression ?? '';
    return [first, ...others].every((one) => writes.includes(one)) && update.includes(updates);
  };
  const useCase = useCases.find(fits);
  if (useCase === undefined) throw new Error(`Give what writes this a name: ${writes.join(', ')}`);
  return useCase.name;
}

const verbs = { Put: 'put', Update: 'update', Delete: 'delete', ConditionCheck: 'check' } as const;

/** `put FUNDED`: the record or the claim, where one table has several kinds. */
export function nameOfWrite({ kind, TableName, Key, Item }: Write): string {
  const item = Key ?? Item ?? {};
  const key = item['claim']?.S ?? item['custodianTransferId']?.S ?? item['record']?.S ?? item['webhookId']?.S ?? '';
  const [first = '', ...others] = key.split('#');
  if (first === '' && others.length > 0) return `${verbs[kind]} count of webhooks`;
  const isNamed = others.length > 0 || item['record'] !== undefined;
  return `${verbs[kind]} ${isNamed ? first : (TableName ?? '').replace(/ies$/, 'y').replace(/s$/, '')}`;
}
