import type { StateEdge, StateGraph, StateNode } from './state-graph.ts';

/** An element of a drawing, from which the page builds its own. */
export interface DrawnElement {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly content: readonly (DrawnElement | string)[];
}

/* Lengths in units of the drawing, shown at about a pixel each. */
const WIDTH = 124;
const HEIGHT = 46;
const BESIDE = 40;
const BELOW = 12;
const MARGIN = 8;
/** Space left of the first column, for the start. */
const START = 34;
/** Space above the first row, for arrows that lead back. */
const RETURN = 26;
/** Most characters of a line within a state. */
const LINE = 15;

interface Box {
  readonly x: number;
  readonly y: number;
}

/**
 * Draws the graph of a state machine; the page styles it by its classes. Mermaid, which draws those of the
 * documentation, writes markup and styles in the browser, and the page accepts neither; Dagre, the layout within
 * Mermaid, leads the arrow back through other states.
 */
export function drawGraph(of: string, { start, nodes, edges }: StateGraph, current?: string): DrawnElement {
  const columns = Math.max(...nodes.map(({ column }) => column)) + 1;
  const rowsOf = (column: number) => nodes.filter((one) => one.column === column).length;
  const most = Math.max(...nodes.map(({ column }) => rowsOf(column)));
  const tallest = heightOf(most);
  const boxOf = ({ column, row }: StateNode): Box => ({
    x: MARGIN + START + column * (WIDTH + BESIDE),
    y: MARGIN + RETURN + (tallest - heightOf(rowsOf(column))) / 2 + row * (HEIGHT + BELOW),
  });
  const width = 2 * MARGIN + START + columns * WIDTH + (columns - 1) * BESIDE;
  const height = 2 * MARGIN + RETURN + tallest;
  return drawn(
    'svg',
    { xmlns: 'http://www.w3.org/2000/svg', viewBox: `0 0 ${width} ${height}`, class: 'graph', role: 'img' },
    drawn('title', {}, current === undefined ? `The states of ${of}` : `${of}: the current state is ${current}`),
    drawn('defs', {}, head()),
    ...(start === undefined ? [] : startMark(boxOf(start))),
    ...edges.map((edge) => arrow(edge, boxOf)),
    ...nodes.map((node) => state(node, boxOf(node), node.name === current)),
  );
}

function drawn(tag: string, attributes: DrawnElement['attributes'], ...content: DrawnElement['content']): DrawnElement {
  return { tag, attributes, content };
}

function heightOf(rows: number): number {
  return rows * HEIGHT + (rows - 1) * BELOW;
}

function head(): DrawnElement {
  const size = { markerWidth: 7, markerHeight: 7, refX: 7, refY: 4, viewBox: '0 0 8 8', orient: 'auto' };
  return drawn('marker', { id: 'head', ...size }, drawn('path', { d: 'M 0 0 L 8 4 L 0 8 z', class: 'head' }));
}

function startMark({ x, y }: Box): readonly DrawnElement[] {
  const middle = y + HEIGHT / 2;
  const at = MARGIN + 6;
  return [
    drawn('circle', { cx: at, cy: middle, r: 5, class: 'start' }),
    drawn('path', { d: `M ${at + 5} ${middle} H ${x}`, class: 'arrow', 'marker-end': 'url(#head)' }),
  ];
}

function arrow({ from, to }: StateEdge, boxOf: (node: StateNode) => Box): DrawnElement {
  const [out, into] = [boxOf(from), boxOf(to)];
  const d =
    to.column === from.column ? down(out, into) : to.column > from.column ? forward(out, into) : back(out, into);
  return drawn('path', { d, class: 'arrow', 'marker-end': 'url(#head)' });
}

function forward(out: Box, into: Box): string {
  const [x, y] = [out.x + WIDTH, out.y + HEIGHT / 2];
  const middle = into.y + HEIGHT / 2;
  const bend = (into.x - x) / 2;
  return `M ${x} ${y} C ${x + bend} ${y} ${into.x - bend} ${middle} ${into.x} ${middle}`;
}

/** The path of an arrow to a state below, in the same column. */
function down(out: Box, into: Box): string {
  return `M ${out.x + WIDTH / 2} ${out.y + HEIGHT} V ${into.y}`;
}

/** The path of an arrow that leads back, above all states between. */
function back(out: Box, into: Box): string {
  const above = MARGIN + RETURN / 2 - 4;
  const [from, to] = [out.x + WIDTH / 2, into.x + WIDTH / 2];
  const turn = `V ${above + 8} q 0 -8 -8 -8 H ${to + 8} q -8 0 -8 8`;
  return `M ${from} ${out.y} ${turn} V ${into.y}`;
}

function state({ name, type }: StateNode, { x, y }: Box, isCurrent: boolean): DrawnElement {
  const lines = linesOf(name);
  const first = y + HEIGHT / 2 - ((lines.length - 1) * 16) / 2 + 4.5;
  const texts = lines.map((line, position) => drawn('text', { x: x + WIDTH / 2, y: first + position * 16 }, line));
  const kind = type.toLowerCase();
  return drawn(
    'g',
    {
      class: `state ${kind}`,
      'data-state': name,
      ...(isCurrent && { class: `state ${kind} current`, 'aria-current': 'step' }),
    },
    shape(type, x, y),
    ...texts,
  );
}

/** The shape of a state: a choice has points at its sides, an end is round. */
function shape(type: string, x: number, y: number): DrawnElement {
  if (type === 'Choice') {
    const [right, middle, bottom] = [x + WIDTH, y + HEIGHT / 2, y + HEIGHT];
    const d = `M ${x} ${middle} L ${x + 14} ${y} H ${right - 14} L ${right} ${middle} L ${right - 14} ${bottom} H ${x + 14} z`;
    return drawn('path', { d });
  }
  const rx = type === 'Succeed' || type === 'Fail' ? HEIGHT / 2 : 6;
  return drawn('rect', { x, y, width: WIDTH, height: HEIGHT, rx });
}

function linesOf(name: string): readonly string[] {
  const lines: string[] = [];
  for (const word of name.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length === 0 || longer.length > LINE) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}
