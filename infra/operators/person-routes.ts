import type { OperatorRoute } from '#infra/platform/operator-route.ts';
import type { TableUse } from '#infra/stage/table-shapes.ts';
import { readUserContract } from '#shared/clients/client-lookups.ts';
import { eraseUserContract, exportUserContract } from '#shared/operators/person-contract.ts';

const userId = 'be0bf1de-c9ec-44c2-8e90-f7aa67fa918c';

/** Tables from which everything of a user is read. */
const READS = {
  wallets: ['Query'],
  operations: ['Query:byUser', 'BatchGetItem'],
  deposits: ['Query:byOperation', 'BatchGetItem'],
} as const satisfies TableUse;

const DAYS_OF_A_YEAR = 366;

const erasure = eraseUserContract.body;

/** Requests of a person about its own data, to the party that keeps it. */
export const personRoutes: readonly OperatorRoute[] = [
  {
    contract: exportUserContract,
    tables: { ...READS, users: ['GetItem'], payins: ['Query:byUser', 'BatchGetItem'] },
    example: { userId },
  },
  {
    contract: eraseUserContract,
    tables: {
      ...READS,
      users: ['GetItem', 'UpdateItem'],
      wallets: ['Query', 'UpdateItem'],
      operations: [...READS.operations, 'UpdateItem'],
      payins: ['Query:byUser', 'BatchGetItem', 'UpdateItem'],
    },
    environment: ({ settings }) => ({ KEPT_DAYS: String((settings.keepRecordsYears ?? 10) * DAYS_OF_A_YEAR) }),
    example: { userId },
    shows: { contract: readUserContract, query: (asked) => ({ userId: erasure.parse(asked).arguments.userId }) },
    question: (asked) =>
      erasure.safeParse(asked).data?.arguments.undo
        ? 'The user gets orders again, and its data stay. Undo its erasure?'
        : 'The user gets no new orders, and in a minute the same command erases its e-mail address and phone number for ever. Has this person asked for it?',
  },
];
