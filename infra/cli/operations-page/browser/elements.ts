import { escapeInvisible } from '#infra/cli/table.ts';
import { type DrawnElement, drawGraph } from '../draw-graph.ts';
import { type Machine, stateGraph } from '../state-graph.ts';

type Content = Node | string | undefined;

/**
 * An element with its content. A text is never markup, whoever wrote it, and cannot change the direction of the text
 * around it.
 */
export function element(
  tag: string,
  attributes: Readonly<Record<string, string>> = {},
  ...content: readonly Content[]
): HTMLElement {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(
    ...content.filter((one) => one !== undefined).map((one) => (typeof one === 'string' ? escapeInvisible(one) : one)),
  );
  return made;
}

/** The graph of a state machine, with the current state marked in it and given in words. */
export function stateFigure(of: string, machine: Machine, state: string | undefined, inWords = state): HTMLElement {
  const graph = drawing(drawGraph(of, stateGraph(machine), state));
  return element(
    'figure',
    {},
    graph,
    element('figcaption', {}, 'State: ', element('strong', { class: 'now' }, inWords)),
  );
}

function drawing({ tag, attributes, content }: DrawnElement): SVGElement {
  const made = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name !== 'xmlns') made.setAttribute(name, String(value));
  }
  made.append(...content.map((one) => (typeof one === 'string' ? one : drawing(one))));
  return made;
}

/** A part of the page under its heading. */
export function section(title: string, ...content: readonly Content[]): HTMLElement {
  return element('section', {}, element('h2', {}, title), ...content);
}

/** A table that may be wider than the page: it scrolls alone, also by keyboard. */
export function table(caption: string, columns: readonly string[], rows: readonly (readonly Content[])[]): HTMLElement {
  const head = element('tr', {}, ...columns.map((name) => element('th', { scope: 'col' }, name)));
  const body = rows.map((cells) =>
    element('tr', {}, ...cells.map((cell) => element('td', isProse(cell) ? { class: 'text' } : {}, cell ?? '–'))),
  );
  return element(
    'div',
    { class: 'scrolled', role: 'region', tabindex: '0', 'aria-label': caption },
    element(
      'table',
      {},
      element('caption', { class: 'unseen' }, caption),
      element('thead', {}, head),
      element('tbody', {}, ...body),
    ),
  );
}

function isProse(cell: Content): boolean {
  return typeof cell === 'string' && cell.length > 30;
}

/** Names beside values; names without a value are left out. */
export function facts(entries: readonly (readonly [string, Content])[]): HTMLElement {
  const known = entries.filter(([, value]) => value !== undefined);
  return element(
    'dl',
    {},
    ...known.map(([name, value]) => element('div', {}, element('dt', {}, name), element('dd', {}, value))),
  );
}

export function code(text: string | undefined): HTMLElement | undefined {
  return text === undefined ? undefined : element('code', {}, text);
}

/** A long id, shortened to its ends; it is whole in its tooltip, and in the page's JSON for programs. */
export function shortCode(text: string): HTMLElement {
  return element('code', { title: text }, text.length > 24 ? `${text.slice(0, 10)}…${text.slice(-6)}` : text);
}

/** A status by its colour, and always by its word. */
export function badge(status: string): HTMLElement {
  return element('span', { class: `badge ${toneOf(status)}` }, status.replaceAll('_', ' ').toLowerCase());
}

const tones: Readonly<Record<string, readonly string[]>> = {
  good: ['COMPLETED', 'VERIFIED', 'CREDITED', 'DELIVERED', 'PAID'],
  bad: ['FAILED', 'UNMATCHED', 'REVERSED', 'NOT_VERIFIED', 'EXPIRED', 'HELD'],
  over: ['CANCELLED', 'NOBODY', 'NOT_DUE', 'NOT_SUBMITTED'],
};

function toneOf(status: string): string {
  return Object.keys(tones).find((tone) => tones[tone]?.includes(status)) ?? 'open';
}
