import { expect, inject, test } from 'vitest';
import { failureOf } from './run/failure.ts';
import { readRegressions } from './run/regression.ts';
import { historiesUpTo } from './run/shrink.ts';
import { deployed } from './service/deployed.ts';

const HISTORIES = 200;

const regressions = readRegressions().map(({ name, ...regression }) => ({ title: sentenceOf(name), ...regression }));

test.each(regressions)('$title: $rule', async ({ script }) => {
  const service = await deployed(inject('topology'));
  for (const history of historiesUpTo(HISTORIES)) {
    expect(await failureOf(service, script, history), `history ${history}`).toBeUndefined();
  }
});

function sentenceOf(name: string): string {
  const words = name.replaceAll('-', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
