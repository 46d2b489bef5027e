import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { redriveDeadLettersContract } from '#shared/operators/dead-letter-commands.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { ApiError } from '#shared/platform/http/api-error.ts';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import { createRegisterCommand } from '#shared/platform/operators/audited.ts';
import { type Handler, routeByPath } from '#shared/platform/operators/route-by-path.ts';
import type { MoveDeadLetters } from './move-dead-letters.ts';

interface Dependencies {
  readonly dynamo: DynamoDBDocumentClient;
  readonly tables: { readonly audit: string };
  readonly moveDeadLetters: MoveDeadLetters;
  readonly clock: Clock;
  readonly newId: () => string;
}

/** A separate function, because its role may send any message to the work queues. */
export function redriveDeadLetters({ dynamo, tables, moveDeadLetters, clock, newId }: Dependencies): Handler {
  const registerCommand = createRegisterCommand(dynamo, tables.audit, clock, newId);
  return routeByPath(
    new Map([
      registerCommand(redriveDeadLettersContract, async ({ queue }) => {
        const task = await moveDeadLetters(queue);
        if (task === undefined) {
          throw new ApiError(apiErrors.NOT_FOUND, {
            detail: 'No queue of this name has dead letters that can be moved. dead-letters lists the queues.',
          });
        }
        return { body: { queue, task }, ids: { queue, task } };
      }),
    ]),
  );
}
