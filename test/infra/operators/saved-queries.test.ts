import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { savedQueries } from '#infra/operators/saved-queries.ts';
import { sectionOf, textOf } from '#test/support/markdown.ts';
import { functionsOf, type StageName, synthesise } from '#test/support/synthesised.ts';

const query = z.object({ Name: z.string(), QueryString: z.string(), LogGroupNames: z.array(z.unknown()) });

const savedOf = (stageName: StageName) => synthesise(stageName).ofType('AWS::Logs::QueryDefinition', query);

/** Log groups that CloudWatch takes in one query. */
const MOST_GROUPS = 50;

test.each(['staging', 'prod'] as const)('%s has each query, over existing logs of its service', (stageName) => {
  const service = synthesise(stageName);
  const groups = service.resources.filter(({ type }) => type === 'AWS::Logs::LogGroup').map(({ path }) => `<${path}>`);
  const saved = savedOf(stageName);
  expect(saved.map(({ stack, properties }) => [stack, properties.Name])).toEqual(
    Object.keys(savedQueries).map((name) => ['operators', `payin-offramp-${stageName}-service/${name}`]),
  );
  for (const { properties } of saved) {
    const over = properties.LogGroupNames.map(service.text);
    expect(over.length, properties.Name).toBeGreaterThan(0);
    expect(over.length, properties.Name).toBeLessThanOrEqual(MOST_GROUPS);
    expect(over.filter((group) => !groups.includes(group))).toEqual([]);
  }
});

test('a query over all functions covers each of them except those of operators, the canary and measure-ages', () => {
  const service = synthesise('prod');
  const [everywhere] = savedOf('prod').filter(({ properties }) => properties.Name.endsWith('all lines of an id'));
  const over = everywhere?.properties.LogGroupNames.map(service.text);
  const logs = functionsOf(service).map(({ properties }) => service.text(properties.LoggingConfig.LogGroup));
  expect(new Set(over)).toEqual(new Set(logs.filter((log) => !/^<(OperatorsLog|Canary\/|Ages\/)/.test(log))));
});

test('the operations page has each query beside the question that it answers, and no other', () => {
  const rows = sectionOf(textOf('docs/operations.md'), 'Saved queries').matchAll(/\? ?\)?[^|]*\| `([^`]+)` \|$/gm);
  expect([...rows].map(([, name]) => name).toSorted()).toEqual(Object.keys(savedQueries).toSorted());
});

test('queries search for codes and fields that log lines have', () => {
  const code = globSync('{functions,shared,infra/api}/**/*.ts')
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  const text = Object.values(savedQueries)
    .flatMap(({ lines }) => lines)
    .join('\n');
  const words = [...text.matchAll(/"([A-Z_]{6,})"|message\.(\w+)/g)].map(([, one, other]) => one ?? other ?? '');
  expect(words.length).toBeGreaterThan(10);
  expect(words.filter((word) => !new RegExp(`\\b${word}\\b`).test(code))).toEqual([]);
});

test('queries over access logs search for fields that these logs have', () => {
  const stage = z.object({ AccessLogSetting: z.object({ Format: z.string() }) });
  const formats = synthesise('prod').ofType('AWS::ApiGateway::Stage', stage);
  const fields = formats.flatMap(({ properties }) => Object.keys(JSON.parse(properties.AccessLogSetting.Format)));
  const text = Object.values(savedQueries).flatMap(({ over, lines }) => (over.endsWith('AccessLog') ? lines : []));
  const asked = text.join(' ').match(/\b[a-z]\w+/gi) ?? [];
  const words = 'filter like in stats by count min max pct timestamp client id'.split(' ');
  expect(asked).toContain('certificateSerial');
  expect(asked.filter((one) => !words.includes(one) && !fields.includes(one))).toEqual([]);
});

test('the local AWS, which has no page for queries, has none', () => expect(savedOf('local')).toEqual([]));
