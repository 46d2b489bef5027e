import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyResult, Context } from 'aws-lambda';
import type { Clock } from '#shared/platform/clock.ts';
import { describe, log } from '#shared/platform/logger.ts';
import { respondWithProblem } from './answer.ts';
import { asApiError, declinedFor, toldTo } from './as-api-error.ts';
import type { Contract } from './contract.ts';
import { parseGatewayEvent } from './event.ts';

interface Internal extends Record<string, unknown> {
  /** Milliseconds since 1970. */
  startedAt: number;
}

/**
 * Every request leaves one line, with what was known of it when it was answered, and every failure becomes an answer:
 * the one place where that happens. A fault, and a use case that runs out of time, is 500 without its cause.
 */
export function requestLine(
  { oauth, access }: Pick<Contract, 'oauth' | 'access'>,
  clock: Clock,
): MiddlewareObj<unknown, APIGatewayProxyResult, Error, Context, Internal> {
  return {
    before({ internal }) {
      internal.startedAt = clock.now().getTime();
    },

    after({ internal, response }) {
      log.info('REQUEST_SERVED', {
        status: response?.statusCode,
        milliseconds: clock.now().getTime() - internal.startedAt,
      });
    },

    onError(request) {
      const { error, event, internal } = request;
      const apiError = toldTo(access, asApiError(error));
      const { code, status, about, ids, cause } = apiError;
      const reason = status < 500 ? undefined : declinedFor(access, apiError);
      const ending = {
        ...about,
        ...ids,
        status,
        error: code,
        milliseconds: clock.now().getTime() - internal.startedAt,
      };
      if (status < 500) log.info('REQUEST_REFUSED', ending);
      else if (reason !== undefined) log.warn('REQUEST_DECLINED', { ...ending, reason, cause: describe(cause) });
      else log.error('REQUEST_FAILED', { ...ending, cause: describe(cause) });
      request.response = respondWithProblem(apiError, requestIdOf(event), oauth === true);
    },
  };
}

function requestIdOf(event: unknown): string {
  try {
    return parseGatewayEvent(event).requestId;
  } catch {
    return 'unknown';
  }
}
