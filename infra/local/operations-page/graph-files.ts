import { readFileSync } from 'node:fs';
import { verificationStates } from '#shared/off-ramps/model/verification.ts';
import { drawGraph } from './draw-graph.ts';
import { type Drawn, drawn, svgText } from './drawing.ts';
import { stateGraph } from './state-graph.ts';

const style = readFileSync(new URL('graph.css', import.meta.url), 'utf8');

/** The pictures of the documentation, by their files. */
export function graphFiles(definition: string): readonly (readonly [file: string, text: string])[] {
  const graph = stateGraph(definition);
  return [
    ['docs/verification.svg', fileOf(drawGraph(graph))],
    ['docs/verification-waits.svg', fileOf(drawGraph(graph, verificationStates.wait))],
  ];
}

/** A file has its style with it. */
function fileOf({ tag, attributes, content }: Drawn): string {
  return svgText(drawn(tag, attributes, drawn('style', {}, `\n${style}`), ...content));
}
