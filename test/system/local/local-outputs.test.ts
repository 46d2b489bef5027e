import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { localDirectory } from '#infra/cli/local-directory.ts';

test('secrets of a local run are for its user alone', () => {
  const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);
  expect([modeOf(localDirectory), modeOf(join(localDirectory, 'outputs.json'))]).toEqual(['700', '600']);
});
