import { SQSClient } from '@aws-sdk/client-sqs';
import type { BookedCustodians } from '#shared/off-ramps/custodians/custodian.ts';
import { bookedCustodians } from '#shared/off-ramps/custodians/custodians.ts';
import { returnsSetting } from '#shared/off-ramps/custodians/returns-setting.ts';
import { createFindReturnedDeposits } from '#shared/off-ramps/store/claims.ts';
import { createFindDeposits, createListCreated } from '#shared/off-ramps/store/created-deposits.ts';
import { createSendDepositPoll } from '#shared/off-ramps/store/deposit-polls.ts';
import { createDepositRepository } from '#shared/off-ramps/store/deposit-repository.ts';
import { createFindDepositOfSending } from '#shared/off-ramps/store/return-lists.ts';
import { type AwsClients, awsClientOptions } from '#shared/platform/aws/aws-clients.ts';
import { createBooks } from '#shared/platform/books/book-store.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { environment } from '#shared/platform/environment.ts';
import { logEachCall } from '#shared/platform/logger.ts';
import { balanceDeposits } from './balance-deposits.ts';

export function wire(
  { dynamo, sqs, custodians }: Pick<AwsClients, 'dynamo' | 'sqs'> & { readonly custodians: BookedCustodians },
  clock: Clock,
) {
  const env = environment({
    books: 'BOOKS_TABLE',
    deposits: 'DEPOSITS_TABLE',
    hashes: 'HASHES_TABLE',
    notifiedTransfersQueue: 'NOTIFIED_TRANSFERS_QUEUE',
    timeZone: 'TIME_ZONE',
  });
  const findDeposits = createFindDeposits(dynamo, env.deposits, clock);
  return logEachCall(
    'balance-deposits',
    clock,
    balanceDeposits({
      custodians,
      books: createBooks(dynamo, env.books, clock),
      listCreated: createListCreated(dynamo, env.deposits),
      findDeposits,
      findReturnedDeposits: createFindReturnedDeposits(dynamo, env.hashes, clock),
      findDepositOfSending: createFindDepositOfSending(dynamo, env.deposits, findDeposits),
      deposits: createDepositRepository(dynamo, env.deposits, clock),
      sendPoll: createSendDepositPoll(sqs, env.notifiedTransfersQueue),
      returns: returnsSetting(),
      timeZone: env.timeZone,
      clock,
    }),
    (days) => ({ days }),
  );
}

export const handler = wire(
  { dynamo, sqs: new SQSClient(awsClientOptions), custodians: bookedCustodians(systemClock) },
  systemClock,
);
