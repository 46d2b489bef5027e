import { HOUR, START } from './moments.ts';
import type { OffRampScript, PayinScript, Script } from './script.ts';

/** Returns an hour after the last act, when every call has been answered, even after an outage. */
export function quietAfter(
  acts: Omit<Script, 'swarm' | 'settings' | 'hasOwnPayouts' | 'isQuiet' | 'quietFrom' | 'endsAt'>,
): number {
  const { clients, offRamps, payins, notices, deeds, outages, deployments, badDeployments, operators, finance } = acts;
  const ends = [
    START,
    ...offRamps.flatMap(timesOfOffRamp),
    ...payins.flatMap(timesOfPayin),
    ...clients.flatMap(({ webhooks }) =>
      webhooks.flatMap(({ at, changes, spells }) => [
        at,
        ...changes.map((change) => change.at),
        ...spells.map(({ from }) => from),
      ]),
    ),
    ...clients.map(({ leak }) => leak?.until ?? START),
    ...[...notices, ...deeds, ...operators].map(({ at }) => at),
    ...finance.map(({ at }) => at + HOUR),
    ...[...outages, ...badDeployments].map(({ until }) => until),
    ...deployments,
  ];
  return Math.max(...ends) + HOUR;
}

function timesOfOffRamp({ at, payments, payout, ...acts }: OffRampScript): readonly number[] {
  const { submissions, cancellations, reads, repeats, messages, returns } = acts;
  const after = [...submissions, ...cancellations, ...reads, ...repeats, ...messages, ...returns].map(
    (act) => act.after,
  );
  const seen = payments.map((payment) => payment.after + Math.max(...payment.phases.map((phase) => phase.after)));
  return [...after, ...seen, Math.max(0, ...seen) + 2 * (payout?.after ?? 0)].map((time) => at + time);
}

function timesOfPayin({ at, reads, repeats, fates }: PayinScript): readonly number[] {
  return [...reads, ...repeats, ...fates].map(({ after }) => at + after);
}
