import { textOf } from './markdown.ts';

/** A block of code that the tests use, marked after its language: `run`, or `file=<name>` for a file to import. */
export interface Sample {
  readonly language: string;
  readonly use: 'run' | 'file';
  readonly file: string | undefined;
  readonly code: string;
  /** The output, from the block `output` after it; empty without one. */
  readonly output: RegExp;
}

const BLOCK =
  /^```(?<language>\w+) (?:(?<use>run)|file=(?<file>\S+))\n(?<code>.*?)^```\n(?:\n```\w+ output\n(?<output>.*?)\n```$)?/gms;

export function samplesOf(file: string): readonly Sample[] {
  return [...textOf(file).matchAll(BLOCK)].map(({ groups = {} }) => ({
    language: groups['language'] ?? '',
    use: groups['use'] === undefined ? 'file' : 'run',
    file: groups['file'],
    code: groups['code'] ?? '',
    output: new RegExp(`^${patternOf(groups['output'] ?? '')}$`, 's'),
  }));
}

/** In the output that a page shows, `…` stands for any text. */
function patternOf(output: string): string {
  return output
    .split('…')
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('.*');
}
