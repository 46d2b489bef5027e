import type { Item } from '#test/simulation/aws/dynamodb/attribute-values.ts';
import { has, instant, text } from '../items.ts';
import { LONGEST_CALL } from '../longest-call.ts';
import type { Notice } from '../truth.ts';
import { must } from '../violation.ts';
import { type Aftermath, LATE } from './aftermath.ts';

/** The number of compliance results that a client's record keeps. */
const MOST_KEPT = 20;

/** Checks compliance results: a suspension holds until a result that came after it ends it. */
export function checkApprovalEnds({ truth, remains, ledger, now, skew }: Aftermath): void {
  const undelivered = remains.undelivered.join();
  const notices = truth.notices.filter(({ type }) => type === 'client.status');
  for (const [clientId, client] of ledger.clients) {
    const results = resultsOf(client);
    const ofClient = notices.filter(({ detail }) => detail['clientId'] === clientId);
    for (const { at, detail } of ofClient.filter(withholds)) {
      const eventId = String(detail['eventId']);
      const mayBeOnItsWay = at >= now - LATE || undelivered.includes(eventId) || results.length === MOST_KEPT;
      must('what withholds an approval is applied', results.includes(eventId) || mayBeOnItsWay, { clientId, eventId });
    }
    const withheld = client['withheld']?.M;
    // An approval counts from its notice on.
    const from = instant(withheld, 'at') + LONGEST_CALL + skew;
    const next = ofClient.find((one) => !withholds(one) && one.at > instant(withheld, 'at') - skew)?.at ?? now;
    const begun = [...ledger.operations.values(), ...ledger.payins.values()]
      .filter((one) => text(one, 'clientId') === clientId && instant(one, 'createdAt') > from)
      .find((one) => has(withheld, 'at') && instant(one, 'createdAt') < next);
    must('a client that is suspended begins nothing', begun === undefined, { clientId, from, next });
    const later = results.slice(0, Math.max(0, results.indexOf(text(withheld, 'eventId'))));
    for (const eventId of later) {
      const one = ofClient.find(({ detail }) => detail['eventId'] === eventId);
      const isAfter = one === undefined || one.at > instant(withheld, 'at');
      must('only what is said after a suspension ends it', isAfter, { clientId, eventId });
    }
  }
}

function withholds({ detail }: Notice): boolean {
  return ['complianceStatus', 'status'].some((kind) => ![undefined, 'approved'].includes(detail[kind]?.toString()));
}

function resultsOf(client: Item): readonly string[] {
  return (client['resultIds']?.L ?? []).flatMap(({ S }) => S ?? []);
}
