import type { TrueCall } from '../truth.ts';
import { must } from '../violation.ts';
import type { Aftermath } from './aftermath.ts';

/** Checks that no client sees another client's data: searches all answers and all webhook calls for foreign ids. */
export function checkDisclosure({ truth, ledger }: Aftermath): void {
  const { owners } = ledger;
  const known = new Map<string, Set<string>>();
  for (const call of truth.calls) rememberSent(call, known);
  for (const call of truth.calls) {
    if (call.answer === undefined) continue;
    const { clientId, method, path } = call;
    const isDone = call.answer.status < 300;
    const foreign = foreignIn(path, clientId, owners);
    must('no client does anything with what is another’s', !isDone || foreign === undefined, {
      clientId,
      method,
      path,
      foreign,
    });
    const seen = idsIn(call.answer.body).find((id) => isForeign(id, clientId, owners) && !known.get(clientId)?.has(id));
    must('no client reads what is another’s', seen === undefined, {
      clientId,
      method,
      path,
      seen,
      of: owners.get(seen ?? ''),
    });
  }
  const clients = new Map(truth.endpoints.map(({ url, clientId }) => [url, clientId]));
  for (const { url, eventId, body } of truth.receipts) {
    const clientId = clients.get(url) ?? '';
    const foreign = foreignIn(body, clientId, owners);
    must('no endpoint receives what is another’s', foreign === undefined, { url, eventId, foreign });
  }
}

/** An id that a caller has sent itself tells it nothing when it reads it again. */
function rememberSent({ clientId, path, query = '', body = '' }: TrueCall, known: Map<string, Set<string>>): void {
  const ids = known.get(clientId) ?? new Set();
  for (const id of idsIn(`${path} ${query} ${body}`)) ids.add(id);
  known.set(clientId, ids);
}

function foreignIn(text: string, clientId: string, owners: ReadonlyMap<string, string>): string | undefined {
  return idsIn(text).find((id) => isForeign(id, clientId, owners));
}

function isForeign(id: string, clientId: string, owners: ReadonlyMap<string, string>): boolean {
  const owner = owners.get(id);
  return owner !== undefined && owner !== clientId;
}

/** Lengths of a UUID and of a delivery's id, and the places of a UUID's hyphens. */
const UUID = 36;
const HYPHENS = [8, 13, 18, 23];
const DELIVERY = 'dlv_'.length + 32;

const EVENT = /\b(?:evt|ext)_[\w-]+/g;

/** Lists every UUID, delivery id and event id in a text. */
function idsIn(text: string): readonly string[] {
  const ids: string[] = [];
  for (let at = text.indexOf('-'); at !== -1; at = text.indexOf('-', at + 1)) {
    const start = at - 8;
    if (start < 0 || !HYPHENS.every((place) => text[start + place] === '-')) continue;
    ids.push(text.slice(start, start + UUID));
    at += UUID - 9;
  }
  for (let at = text.indexOf('dlv_'); at !== -1; at = text.indexOf('dlv_', at + 1))
    ids.push(text.slice(at, at + DELIVERY));
  for (const [id] of text.matchAll(EVENT)) ids.push(id);
  return ids;
}
