import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { endpoints, sandboxEndpoints } from '#infra/endpoints.ts';

const textOf = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
const readme = textOf('README.md');

describe('the README', () => {
  test.each([...endpoints, ...sandboxEndpoints])('links every route to its folder: $folder', ({ contract, folder }) => {
    const row = readme.split('\n').find((line) => line.startsWith('| ') && line.includes(`](functions/${folder})`));
    expect(row).toContain(`\`${contract.method} `);
  });

  test('shows an example of the typed client that is type-checked and run', () => {
    expect(readme).toContain(`\`\`\`ts\n${textOf('test/support/readme-example.ts')}\`\`\`\n`);
  });
});
