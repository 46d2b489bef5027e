import { textOf } from './markdown.ts';

/** A block of code that the tests run, as the words behind its language say: `run`, or `file=<name>` for what others import. */
export interface Sample {
  readonly language: string;
  readonly use: 'run' | 'file';
  readonly file: string | undefined;
  readonly code: string;
  /** What it prints, by the block `output` behind it; nothing without one. */
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

/** In what a page says to be printed, `…` stands for anything. */
function patternOf(output: string): string {
  return output
    .split('…')
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('.*');
}
