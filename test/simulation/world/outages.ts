import type { AwsClients } from '#shared/platform/aws/aws-clients.ts';
import type { Schedule } from '#test/simulation/kernel/schedule.ts';

/** What can be out for a while. */
export type Part = keyof AwsClients | 'custodian' | 'rail';

export const parts = ['dynamo', 'sqs', 'eventBridge', 'stepFunctions', 'kms', 'custodian', 'rail'] as const;

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
      if (outages.length === 0) return false;
      const now = clock.now().getTime();
      return outages.some((outage) => outage.part === part && outage.from <= now && now < outage.until);
    },
  };
}
