import type { Schedule } from '#test/simulation/kernel/schedule.ts';

/** What can be gone for a while. */
export const parts = ['dynamo', 'sqs', 'eventBridge', 'stepFunctions', 'kms', 'custodian', 'rail'] as const;

export type Part = (typeof parts)[number];

/** A part does not answer from a time to another, in milliseconds since 1970. */
export interface Outage {
  readonly part: Part;
  readonly from: number;
  readonly until: number;
}

export interface Outages {
  /** Now. */
  isOut(part: Part): boolean;
}

export function createOutages({ clock }: Pick<Schedule, 'clock'>, outages: readonly Outage[]): Outages {
  return {
    isOut(part) {
      const now = clock.now().getTime();
      return outages.some((outage) => outage.part === part && outage.from <= now && now < outage.until);
    },
  };
}
