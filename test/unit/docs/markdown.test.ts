import { describe, expect, test } from 'vitest';
import { anchorsOf, blocksIn, sectionOf, withoutCode } from '#test/support/markdown.ts';

const page = `# A page

## Run it

\`\`\`bash
# not a heading
npm start
\`\`\`

### In another shell

\`\`\`ts
start();
\`\`\`

## 2. Stop it, and \`rest\`

## Again

## Again
`;

describe('a section of a page', () => {
  test('goes on below its own smaller headings, and over comments in code, up to the next heading', () => {
    const section = sectionOf(page, 'Run it');
    expect(section).toContain('npm start');
    expect(section).toContain('start();');
    expect(section).not.toContain('Stop it');
  });

  test.each(['Run', 'run it', 'not a heading', ''])('fails when there is no such heading: %j', (title) => {
    expect(() => sectionOf(page, title)).toThrow('There is no heading');
  });

  test('fails when its heading is there twice', () => {
    expect(() => sectionOf(page, 'Again')).toThrow('There are several headings');
  });
});

test('blocks of code are found by their language', () => {
  expect(blocksIn(page, 'bash')).toEqual(['# not a heading\nnpm start\n']);
  expect(blocksIn(page, 'ts')).toEqual(['start();\n']);
  expect(blocksIn(page, 'python')).toEqual([]);
});

test('headings are linked as GitHub links them', () => {
  expect(anchorsOf(page)).toEqual(['a-page', 'run-it', 'in-another-shell', '2-stop-it-and-rest', 'again', 'again-1']);
});

test('a page without its code has the lines of the page', () => {
  expect(withoutCode(page).split('\n')).toHaveLength(page.split('\n').length);
  expect(withoutCode(page)).not.toContain('npm start');
});
