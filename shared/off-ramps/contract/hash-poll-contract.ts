import * as z from 'zod/mini';
import { pollOutcome } from '#shared/off-ramps/model/poll-schedule.ts';
import { verification } from '#shared/off-ramps/model/verification.ts';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import { contract } from '#shared/platform/http/contract.ts';
import { documentObject } from '#shared/platform/http/document.ts';
import { instant, noBody, noParameters } from '#shared/platform/http/fields.ts';
import { OFF_RAMPS_PATH, offRampErrors, operationPath } from './off-ramp-contract.ts';

const { reason, lastCheckedAt, nextCheckAt, attempt, txHash } = verification.shape;

/** One poll of the custodian, as clients see it (decisions.md 9, Polls). */
export const hashPoll = z.object({ at: instant, outcome: pollOutcome, reason, nextCheckAt });

documentObject('HashPoll', hashPoll, 'One check of a reported hash.', {
  at: 'When the hash was checked.',
  outcome: 'The result.',
  reason: 'Why no deposit was verified.',
  nextCheckAt: 'When the next check was planned. Absent if none was.',
});

const earlierAttempt = z.object({ attempt, txHash, outcome: pollOutcome, reason, lastCheckedAt });

documentObject('EarlierAttempt', earlierAttempt, 'A verification before the current one.', {
  attempt: { description: 'Its number, from 1.', minimum: 1, maximum: 100 },
  txHash: 'Its hash.',
  outcome: 'Its result: `WINDOW_ENDED`, or `SUPERSEDED` while checks were still to come.',
  reason: 'Why its last check verified no deposit.',
  lastCheckedAt: 'The time of that check. Absent if there was none.',
});

const hashPolls = z.object({ polls: z.array(hashPoll), earlierAttempts: z.array(earlierAttempt) });

documentObject('HashPolls', hashPolls, 'The checks of the reported hash of an off-ramp.', {
  polls: 'The checks of the current attempt, newest first.',
  earlierAttempts: 'The earlier attempts in short, newest first.',
});

export type HashPolls = z.infer<typeof hashPolls>;

export const listHashPollsContract = contract({
  name: 'list-hash-polls',
  method: 'GET',
  path: `${OFF_RAMPS_PATH}/{operation_id}/hash/polls`,
  summary: 'List the checks of the hash reported for an off-ramp',
  access: 'client',
  pathParameters: operationPath,
  unknownPath: offRampErrors.OFF_RAMP_NOT_FOUND,
  query: noParameters,
  body: noBody,
  success: { status: 200, body: hashPolls },
  errors: [apiErrors.UNAUTHORIZED, offRampErrors.OFF_RAMP_NOT_FOUND, apiErrors.VALIDATION_FAILED],
});
