import * as z from 'zod/mini';
import type { Drawn } from '../draw-graph.ts';
import { answerView } from './answer-view.ts';
import { answerOf, Problem } from './answers.ts';
import { drawing, element } from './elements.ts';
import { countOf, lists, listView } from './lists.ts';
import { isOperation, operationView } from './operation-view.ts';
import { tellTimes } from './times.ts';

/** Milliseconds between two looks at what is shown, and at the lists. */
const SHOWN = 2000;
const COUNTED = 10_000;

const drawn: z.ZodMiniType<Drawn> = z.object({
  tag: z.string(),
  attributes: z.record(z.string(), z.union([z.string(), z.number()])),
  get content() {
    return z.array(z.union([z.string(), drawn]));
  },
});

const asked = new URLSearchParams(location.search);
const lookup = ['operation', 'deposit', 'payin', 'delivery'].find((name) => asked.has(name));
const list = asked.get('list') ?? 'waiting';
const since = asked.get('since');
const page = since === null ? {} : { since };
let subject = asked.get(lookup ?? '') ?? '';

const content = document.querySelector('#content') ?? document.body;
const shown = element('div');
const raw = element('pre', { tabindex: '0', 'aria-label': 'The answer of the service' });
let shownText = '';

const sought = asked.get('find');
const given = document.querySelector<HTMLInputElement>('#find');
if (given !== null) given.value = sought ?? asked.get('operation') ?? asked.get('payin') ?? '';

/** Leads to the one thing that was sought; shows both where an off-ramp and a pay-in have the same reference. */
async function find(text: string): Promise<void> {
  const found = await Promise.all(
    ['operation', 'payin'].map((name) => answerOf(name, { [name]: text }).then(() => name, nothing)),
  );
  const [first, second] = found.filter((name) => name !== undefined);
  if (first !== undefined && second === undefined) {
    location.replace(`/operations?${new URLSearchParams({ [first]: text })}`);
    return;
  }
  const title = element('h1', {}, first === undefined ? 'Nothing is found' : 'Two are found');
  const none = 'No off-ramp and no pay-in has this id, hash, deposit address or reference.';
  const said = first === undefined ? [element('p', { role: 'alert', class: 'problem' }, none)] : both(text);
  content.replaceChildren(title, ...said);
}

/** Nothing when the service does not have it; other failures of the service are shown. */
function nothing(error: unknown): undefined {
  if (!(error instanceof Problem && error.code?.endsWith('_NOT_FOUND'))) throw error;
}

function both(text: string): readonly HTMLElement[] {
  const names = [
    ['operation', 'The off-ramp'],
    ['payin', 'The pay-in'],
  ] as const;
  return names.map(([name, title]) =>
    element('p', {}, element('a', { href: `/operations?${new URLSearchParams({ [name]: text })}` }, title)),
  );
}

async function show(): Promise<void> {
  const [name, query] = lookup === undefined ? [list, page] : [lookup, { [lookup]: subject }];
  try {
    if (!(lookup !== undefined || list in lists)) throw new Error('There is no such list.');
    const answer = await answerOf(name, query);
    const text = JSON.stringify(answer, null, 2);
    // Unchanged elements stay, with their focus and selection.
    if (text !== shownText) {
      const view = await viewOf(name, answer);
      const held = document.activeElement?.getAttribute('href') ?? undefined;
      shown.replaceChildren(...view);
      raw.textContent = text;
      content.replaceChildren(shown, ...(lookup === undefined ? [] : [same(name)]));
      if (held !== undefined) shown.querySelector<HTMLElement>(`a[href="${CSS.escape(held)}"]`)?.focus();
      // A screen reader announces the next step, not the clock.
      tell('#news', shown.querySelector('.next')?.textContent ?? '');
      shownText = text;
    }
    say(`Live: as of ${new Date().toISOString().slice(11, 19)} UTC.`);
  } catch (error) {
    fail(error);
  }
}

function fail(error: unknown): void {
  say('');
  shownText = '';
  const why = error instanceof Error ? error.message : String(error);
  const title = element('h1', {}, lookup === undefined ? 'Operations' : `No ${lookup} to show`);
  content.replaceChildren(title, element('p', { role: 'alert', class: 'problem' }, why));
}

function say(text: string): void {
  tell('#live', text);
}

function tell(where: string, text: string): void {
  const place = document.querySelector(where);
  if (place !== null && place.textContent !== text) place.textContent = text;
}

/** What the page shows, as programs read it. */
function same(name: string): HTMLElement {
  const command = `npm run --silent ops -- ${name} ${subject} --json`;
  return element('details', {}, element('summary', {}, 'The same for programs: ', element('code', {}, command)), raw);
}

async function viewOf(name: string, answer: unknown): Promise<readonly Node[]> {
  if (name === 'operation' && isOperation(answer)) {
    keepTo(answer.operationId);
    document.title = `${answer.amount} ${answer.token} – Operations`;
    return operationView(answer, await graphAt(answer.hash.executionState));
  }
  if (lookup === undefined) return [element('h1', {}, lists[name] ?? name), listView(name, answer)];
  return [element('h1', {}, `The ${name}`), answerView(answer)];
}

/** The hash by which an off-ramp was found may be corrected while somebody looks: from then on it goes by its id. */
function keepTo(operationId: string): void {
  subject = operationId;
  history.replaceState(null, '', `/operations?${new URLSearchParams({ operation: operationId })}`);
}

let graph: Promise<Drawn> | undefined;

async function graphAt(state: string | undefined): Promise<SVGElement> {
  graph ??= fetch('/operations/graph.json').then(async (response) => drawn.parse(await response.json()));
  const made = drawing(await graph);
  for (const one of made.querySelectorAll<SVGElement>('.state')) {
    if (one.dataset['state'] !== state) continue;
    one.classList.add('current');
    one.setAttribute('aria-current', 'step');
  }
  return made;
}

/** All lists of what waits for a person. */
async function count(): Promise<void> {
  const entries = await Promise.all(
    Object.entries(lists).map(async ([name, title]) => {
      const number = await answerOf(name, {}).then(countOf, () => '?');
      const isShown = lookup === undefined && sought === null && name === list;
      const attributes = { href: `/operations?list=${name}`, ...(isShown && { 'aria-current': 'page' }) };
      return element('li', {}, element('a', attributes, `${title} `, element('span', { class: 'count' }, number)));
    }),
  );
  document.querySelector('#lists')?.replaceChildren(...entries);
}

/** Again and again while somebody looks at it. */
async function repeat(work: () => Promise<void>, pause: number): Promise<void> {
  if (!document.hidden) await work();
  setTimeout(() => void repeat(work, pause), pause);
}

if (sought === null) void repeat(show, SHOWN);
else void find(sought).catch(fail);
void repeat(count, COUNTED);
setInterval(tellTimes, 1000);
