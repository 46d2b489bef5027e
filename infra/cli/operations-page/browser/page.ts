import { answerView } from './answer-view.ts';
import { answerOf, Problem, readSetup } from './answers.ts';
import { element } from './elements.ts';
import { inShell } from './in-shell.ts';
import { countOf, listIn, listView, wordsOf } from './lists.ts';
import { isOperation, operationView } from './operation-view.ts';
import { isDeposit, returnView } from './return-view.ts';
import { tellTimes } from './times.ts';

/** Milliseconds between two reads of the shown answer, and of the lists. */
const SHOWN = 2000;
const COUNTED = 10_000;

/** Records that are looked up one by one, by any id, hash, address or reference that a person has. */
const lookups = ['operation', 'payin', 'deposit', 'delivery'] as const;

const asked = new URLSearchParams(location.search);
const lookup = lookups.find((name) => asked.has(name));
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
if (given !== null) given.value = sought ?? subject;

const settings = readSetup();

/** Opens the only record that was found; lists them where, for example, an off-ramp and a pay-in share a reference. */
async function find(text: string): Promise<void> {
  const having = await Promise.all(lookups.map((name) => answerOf(name, { [name]: text }).then(() => [name], nothing)));
  const found = having.flat();
  // The hash of a deposit also finds its off-ramp, which shows the deposit.
  const names = found.includes('operation') ? found.filter((name) => name !== 'deposit') : found;
  const [first, second] = names;
  if (first !== undefined && second === undefined) {
    location.replace(`/operations?${new URLSearchParams({ [first]: text })}`);
    return;
  }
  const title = element('h1', {}, first === undefined ? 'Nothing found' : `${names.length} found`);
  const none = 'No off-ramp, pay-in, deposit or delivery has this id, hash, deposit address or reference.';
  const unreported = `If it is the hash of a transfer that should be here, let the service ask the custodian for it: npm run ops -- search-hash <network> ${inShell(text)} ${(await settings).options} --reason '…'`;
  const results =
    first === undefined
      ? [element('p', { role: 'alert', class: 'problem' }, none), element('p', {}, unreported)]
      : names.map((name) => element('p', {}, linkTo(name, text)));
  content.replaceChildren(title, ...results);
}

function linkTo(name: string, text: string): HTMLElement {
  const title = name === 'operation' ? 'The off-ramp' : `The ${name}`;
  return element('a', { href: `/operations?${new URLSearchParams({ [name]: text })}` }, title);
}

/** Returns nothing for an unknown id, or a text that can be no id; throws other failures, which are shown. */
function nothing(error: unknown): [] {
  if (error instanceof Problem && /_?NOT_FOUND$|^VALIDATION_FAILED$/.test(error.code ?? '')) return [];
  throw error;
}

async function show(): Promise<void> {
  const [name, query] = lookup === undefined ? [list, page] : [lookup, { [lookup]: subject }];
  try {
    if (lookup === undefined && !(await settings).lists.some((one) => one.name === name))
      throw new Error('There is no such list.');
    const answer = await answerOf(name, query);
    const text = JSON.stringify(answer, null, 2);
    // Unchanged elements stay, with their focus and selection.
    if (text !== shownText) {
      const view = await viewOf(name, answer);
      const held = document.activeElement?.getAttribute('href') ?? undefined;
      shown.replaceChildren(...view);
      raw.textContent = text;
      content.replaceChildren(shown, ...(lookup === undefined ? [] : [await same(name)]));
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

/** The shown answer as JSON, below the command that prints it for programs. */
async function same(name: string): Promise<HTMLElement> {
  const argument = subject === '' ? '' : inShell(subject);
  const words = ['npm run --silent ops --', name, argument, (await settings).options, '--json'];
  const command = words.filter((word) => word !== '').join(' ');
  return element('details', {}, element('summary', {}, 'The same for programs: ', element('code', {}, command)), raw);
}

async function viewOf(name: string, answer: unknown): Promise<readonly Node[]> {
  if (name === 'operation' && isOperation(answer)) {
    keepTo(answer.operationId);
    document.title = `${answer.amount} ${answer.token} – Operations`;
    return operationView(answer, (await settings).verification);
  }
  if (lookup !== undefined) {
    const returned = name === 'deposit' && isDeposit(answer) ? returnView(answer) : undefined;
    return [element('h1', {}, `The ${name}`), ...(returned === undefined ? [] : [returned]), answerView(answer)];
  }
  const { summary = '' } = (await settings).lists.find((one) => one.name === name) ?? {};
  const rows = listIn(answer);
  const view = rows === undefined ? answerView(answer) : listView(name, rows);
  return [element('h1', {}, wordsOf(name)), element('p', {}, summary), view];
}

/** Switches to the id of an off-ramp that was found by a hash, because the hash may be corrected meanwhile. */
function keepTo(operationId: string): void {
  subject = operationId;
  history.replaceState(null, '', `/operations?${new URLSearchParams({ operation: operationId })}`);
}

const counts = new Map<string, HTMLElement>();

/** Shows all lists of what waits for a person at once; the number of entries in each follows. */
async function showLists(): Promise<void> {
  const { service, lists } = await settings;
  tell('#service', service);
  const entries = lists.map(({ name, summary }) => {
    const number = element('span', { class: 'count' });
    counts.set(name, number);
    const isShown = lookup === undefined && sought === null && name === list;
    const attributes = { href: `/operations?list=${name}`, title: summary, ...(isShown && { 'aria-current': 'page' }) };
    return element('li', {}, element('a', attributes, `${wordsOf(name)} `, number));
  });
  document.querySelector('#lists')?.replaceChildren(...entries);
}

async function count(): Promise<void> {
  await Promise.all(
    [...counts].map(async ([name, number]) => {
      number.textContent = await answerOf(name, {}).then(countOf, () => '?');
    }),
  );
}

/** Repeats the work while the page is visible. */
async function repeat(work: () => Promise<void>, pause: number): Promise<void> {
  if (!document.hidden) await work();
  setTimeout(() => void repeat(work, pause), pause);
}

if (sought === null) void repeat(show, SHOWN);
else void find(sought).catch(fail);
void showLists().then(() => repeat(count, COUNTED), fail);
setInterval(tellTimes, 1000);
