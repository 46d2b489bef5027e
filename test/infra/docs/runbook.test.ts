import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { operatorRoutes } from '#infra/operators/operator-routes.ts';
import { stageNamed } from '#infra/stage/stages.ts';
import { failures } from '#test/simulation/alarms/failures.ts';
import { anchorsOf, sectionOf, textOf } from '#test/support/markdown.ts';
import { opsWorld } from '#test/support/ops-world.ts';
import { withRealProviders } from '#test/support/real-providers.ts';
import { synthesise, synthesiseStage } from '#test/support/synthesised.ts';

const page = textOf('docs/operations.md');

const alarms = [synthesise('staging'), synthesise('prod'), synthesiseStage(withRealProviders())].flatMap((service) =>
  service.ofType('AWS::CloudWatch::Alarm', z.object({ AlarmDescription: z.string() })),
);

const runbookOf = (description: string) => /What to do: docs\/operations\.md#(\S+)$/.exec(description)?.[1];

test('each alarm says at its end which section of the operations page says what to do', () => {
  const sections = anchorsOf(page);
  const lost = alarms.filter(({ properties }) => !sections.includes(runbookOf(properties.AlarmDescription) ?? ''));
  expect(lost.map(({ path }) => path)).toEqual([]);
});

test('each section that says what to do about an alarm belongs to an existing alarm', () => {
  const [, chapter = ''] = page.split(/^## Alarms$/m);
  const [alarmsAlone = ''] = chapter.split(/^## /m);
  const sections = anchorsOf(alarmsAlone).filter((section) => section !== 'who-is-called-and-after-how-long');
  expect(sections.length).toBeGreaterThan(5);
  expect(new Set(alarms.map(({ properties }) => runbookOf(properties.AlarmDescription)))).toEqual(new Set(sections));
});

test('the table of alarms links each file that has the text of an alarm', () => {
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

/** The code of a page: each line of its blocks, and each piece of code in its sentences. */
const codeIn = (text: string) =>
  text
    .split('`')
    .filter((_, at) => at % 2 === 1)
    .flatMap((piece) => (/^[a-z]*\n/.test(piece) ? piece.split('\n') : piece.replaceAll(/\s+/g, ' ')));

test('the pages use only existing commands of operators, with values and options that they take', async () => {
  const { ops } = opsWorld();
  const names = new Set(operatorRoutes.map(({ contract }) => contract.name));
  const fetch = () => Promise.reject(new TypeError('Nothing is sent.'));
  const typed = globSync(['README.md', 'docs/*.md']).flatMap((file) =>
    codeIn(textOf(file)).flatMap((line) => {
      const isCommand = names.has(line.split(' ')[0] ?? '') && line.includes('<');
      const [given = '', after = isCommand ? given : ''] = line.replaceAll(/<[a-z][^>]*>/g, 'x').split('ops -- ');
      const words = (after.split(/[#;|<>…]/)[0] ?? '').match(/'[^']*'|[^\s,]+/g) ?? [];
      return /^[a-z]/.test(words[0] ?? '') && words[0] !== 'page' ? [words] : [];
    }),
  );
  expect(typed.length).toBeGreaterThan(100);
  const said = await Promise.all(
    typed.map(async (words) => `${words.join(' ')}: ${(await ops(words, { fetch })).said}`),
  );
  expect(said.filter((one) => /error: (unknown|too many)/.test(one))).toEqual([]);
});

/** The failures: who is called, by which alarm, and which section that alarm names. */
const rows = sectionOf(page, 'Who is called, and after how long')
  .split('\n')
  .filter((line) => /^\| [a-z]/.test(line))
  .map((line) => {
    const [failure = '', who, alarm = '', section = '', after = ''] = line
      .split('|')
      .slice(1)
      .map((cell) => cell.trim());
    return { failure, who, alarm: alarm.replaceAll('`', ''), runbook: /#([\w-]+)\)$/.exec(section)?.[1], after };
  });

test('each failure calls somebody by an alarm of prod, whose text leads to the section beside it, or says why not', () => {
  const { call, notice } = stageNamed('prod').settings.alarmTopics ?? {};
  const whoOf = new Map([
    [call, 'call'],
    [notice, 'notice'],
  ]);
  const known = synthesise('prod').ofType(
    'AWS::CloudWatch::Alarm',
    z.object({ AlarmDescription: z.string(), AlarmActions: z.array(z.unknown()) }),
  );
  expect(rows.length).toBeGreaterThanOrEqual(25);
  for (const { failure, who, alarm, runbook, after } of rows) {
    expect(after, failure).not.toBe('');
    if (who === 'nobody') expect([failure, alarm, runbook]).toEqual([failure, '', undefined]);
    else {
      const found = known.filter(({ path }) => path === alarm).map(({ properties }) => properties);
      const actions = JSON.stringify(found.map(({ AlarmActions }) => AlarmActions));
      const told = [...whoOf].filter(([topic = '']) => actions.includes(topic.split(':').at(-1) ?? ''));
      expect([failure, ...found.map(({ AlarmDescription }) => runbookOf(AlarmDescription))]).toEqual([
        failure,
        runbook,
      ]);
      expect([failure, ...told.map(([, kind]) => kind)]).toEqual([failure, who]);
    }
  }
});

test('each failure that the simulation plays is in the table, and marked', () => {
  const marked = rows.flatMap(({ failure }) => (failure.endsWith(' *') ? failure.slice(0, -2) : []));
  expect(marked.toSorted()).toEqual(failures.map(({ name }) => name).toSorted());
});
