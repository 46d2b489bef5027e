import { readdirSync, readFileSync } from 'node:fs';

const root = new URL('../../', import.meta.url);

/** The pages that people read, as paths from the root of the project. */
export const pages: readonly string[] = [
  'README.md',
  'SECURITY.md',
  ...readdirSync(new URL('docs', root))
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`),
];

export function textOf(file: string): string {
  return readFileSync(new URL(file, root), 'utf8');
}

interface Heading {
  /** Counted from 0. */
  readonly line: number;
  /** 1 for the title of a page. */
  readonly level: number;
  readonly title: string;
}

/** In a block of code, a line that begins with # is a comment. */
function headingsOf(page: string): readonly Heading[] {
  return withoutCode(page)
    .split('\n')
    .flatMap((text, line) => {
      const [, marks, title = ''] = /^(#+) (.*)$/.exec(text) ?? [];
      return marks === undefined ? [] : [{ line, level: marks.length, title }];
    });
}

/** A page with its blocks of code emptied, line by line. */
export function withoutCode(page: string): string {
  return page.replaceAll(/^```.*?^```$/gms, (block) => block.replaceAll(/[^\n]/g, ''));
}

/**
 * The text below a heading, up to the next heading of the same or a higher level.
 *
 * @throws unless the page has the heading exactly once: tests would find nothing below a renamed one
 */
export function sectionOf(page: string, title: string): string {
  const headings = headingsOf(page);
  const [found, another] = headings.filter((heading) => heading.title === title);
  if (found === undefined) {
    throw new Error(`There is no heading «${title}», only ${headings.map((one) => `«${one.title}»`).join(', ')}.`);
  }
  if (another !== undefined) throw new Error(`There are several headings «${title}».`);
  const end = headings.find(({ line, level }) => line > found.line && level <= found.level)?.line;
  return page
    .split('\n')
    .slice(found.line + 1, end)
    .join('\n');
}

/** The blocks of code in one language, without their fences. */
export function blocksIn(text: string, language: string): readonly string[] {
  const blocks = [...text.matchAll(/^```(?<language>\S*)[^\n]*\n(?<code>.*?)^```$/gms)].map(({ groups }) => groups);
  return blocks.filter((block) => block?.['language'] === language).map((block) => block?.['code'] ?? '');
}

/** The anchors of the headings of a page: `1. One, and *two*` is `1-one-and-two`, a second one `1-one-and-two-1`. */
export function anchorsOf(page: string): readonly string[] {
  const names = headingsOf(page).map(({ title }) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );
  return names.map((name, index) => {
    const before = names.slice(0, index).filter((one) => one === name).length;
    return before === 0 ? name : `${name}-${before}`;
  });
}
