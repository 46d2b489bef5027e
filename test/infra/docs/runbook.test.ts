import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { anchorsOf, textOf } from '#test/support/markdown.ts';
import { withRealProviders } from '#test/support/real-providers.ts';
import { synthesise, synthesiseStage } from '#test/support/synthesised.ts';

const page = textOf('docs/operations.md');

const alarms = [synthesise('staging'), synthesiseStage(withRealProviders())].flatMap((service) =>
  service.ofType('AWS::CloudWatch::Alarm', z.object({ AlarmDescription: z.string() })),
);

const runbookOf = (description: string) => /What to do: docs\/operations\.md#(\S+)$/.exec(description)?.[1];

test('each alarm says at its end which section of the operations page says what to do', () => {
  const sections = anchorsOf(page);
  const lost = alarms.filter(({ properties }) => !sections.includes(runbookOf(properties.AlarmDescription) ?? ''));
  expect(lost.map(({ path }) => path)).toEqual([]);
});

test('each section that says what to do about an alarm is one of an alarm', () => {
  const [, chapter = ''] = page.split(/^## Alarms$/m);
  const [alarmsAlone = ''] = chapter.split(/^## /m);
  const sections = anchorsOf(alarmsAlone);
  expect(sections.length).toBeGreaterThan(5);
  expect(new Set(alarms.map(({ properties }) => runbookOf(properties.AlarmDescription)))).toEqual(new Set(sections));
});

test('the table of alarms links each file in which the text of an alarm stands', () => {
  const made = globSync('infra/**/*.ts').filter((file) =>
    /\bnew \w+Alarm\(|\.alarm\(/.test(readFileSync(file, 'utf8')),
  );
  const texts = made.filter((file) => !file.endsWith('/service-log.ts'));
  expect(texts.length).toBeGreaterThan(10);
  expect(texts.filter((file) => !page.includes(`](../${file})`))).toEqual([]);
});

test('the operations page explains each code of a line of level ERROR', () => {
  const root = new URL('../../../', import.meta.url);
  const code = globSync('{functions,shared}/**/*.ts', { cwd: root })
    .map((file) => readFileSync(new URL(file, root), 'utf8'))
    .join('\n');
  const reported = [...code.matchAll(/log\.error\(\s*'([A-Z_]+)'/g)].map(([, name = '']) => name);
  expect(reported.length).toBeGreaterThan(20);
  expect(reported.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
