import type { FieldError } from '#shared/platform/http/api-error.ts';

/** Exit statuses of commands: `--help` lists them, and scripts rely on them. */
export const exitStatus = { done: 0, refused: 1, usage: 2, forbidden: 3, failed: 4, interrupted: 130 } as const;

export const exitStatusHelp = `
Exit status:
  0    done, or waiting for a second person or for a later command: the last line says which
  1    the service refused it, for example because there is no such client, and nothing was changed; or it was
       requested, and has not taken effect after ten seconds
  2    an argument is missing or not valid, or nobody confirmed; nothing was sent
  3    the identity may not do this, or there is none
  4    the service cannot be reached, or has failed: it is not known whether a change was done
  130  interrupted: a change that was already sent may have been done, which audit shows`;

interface Details {
  /** The code of the error, for programs. */
  readonly code?: string;
  readonly errors?: readonly FieldError[];
  readonly requestId?: string;
}

/** The reason why a command fails, in text for people; never a part of an answer. */
export class OpsError extends Error {
  override readonly name = 'OpsError';
  readonly status: number;
  readonly details: Details;

  constructor(status: keyof typeof exitStatus, message: string, details: Details = {}) {
    super(message);
    this.status = exitStatus[status];
    this.details = details;
  }
}
