import { redriveDeadLetters } from '#shared/operators/dead-letter-commands.ts';
import { ApiError } from '#shared/platform/http/api-error.ts';
import type { Changes } from './dependencies.ts';

/** Of queues of dead letters. */
export const deadLetterChanges: Changes = (underAudit, { moveDeadLetters }) => [
  underAudit(redriveDeadLetters, async ({ queue }) => {
    const task = await moveDeadLetters(queue);
    if (task === undefined) {
      throw new ApiError('NOT_FOUND', {
        detail: 'There is no queue of this name whose dead letters can be moved. dead-letters names the queues.',
      });
    }
    return { body: { queue, task }, ids: { queue, task } };
  }),
];
