import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { checkSettings } from '#infra/stage/read-settings.ts';
import { stageNamed, withSettings } from '#infra/stage/stages.ts';
import { restoredTables } from '#infra/stage/table-shapes.ts';
import { textOf } from '#test/support/markdown.ts';
import { bundles, functionsOf, grantsOf, synthesise, synthesiseStage } from '#test/support/synthesised.ts';

const names = Object.fromEntries(restoredTables.map((name) => [name, `${name}-20261127T100000Z`]));

function settingsWith(restored: unknown) {
  return checkSettings('staging.json', JSON.stringify({ restored }), 'staging');
}

function textOfBundle(folder: string): string {
  return readFileSync(join(bundles.get(folder)?.directory ?? '', 'handler.mjs'), 'utf8');
}

describe('decisions 4, putting back: a stage whose tables were restored', () => {
  const restored = { at: '2026-11-27T10:00:00Z', tables: names };
  const [before, after] = [
    synthesise('staging'),
    synthesiseStage(withSettings(stageNamed('staging'), settingsWith(restored))),
  ];
  const renamed = (text: string) =>
    text.replace(/<Tables\/(\w+)(\.Arn)?>/g, (reference, name, arn) =>
      names[name] === undefined
        ? reference
        : `${arn ? 'arn:<AWS::Partition>:dynamodb:<AWS::Region>:<AWS::AccountId>:table/' : ''}${names[name]}`,
    );

  test('keeps every table of its own unchanged', () => {
    const tablesOf = ({ resources }: typeof before) =>
      resources.filter(({ type }) => type === 'AWS::DynamoDB::GlobalTable');
    expect(tablesOf(after)).toEqual(tablesOf(before));
  });

  test.each(['HELD_SINCE', 'RESTORED_AT'])('gives %s to exactly the functions that read it', (name) => {
    const given = functionsOf(after).filter(({ environment }) => name in environment);
    const reading = functionsOf(after).filter(({ folder }) => textOfBundle(folder).includes(name));
    expect(given).not.toEqual([]);
    expect(given.map(({ folder }) => folder)).toEqual(reading.map(({ folder }) => folder));
  });

  test('gives each function the names of the restored tables, with the same permissions as before', () => {
    const environments = (service: typeof before, change: (text: string) => string) =>
      functionsOf(service).map(({ folder, environment }) => [
        folder,
        Object.entries(environment)
          .filter(([variable]) => variable.endsWith('_TABLE'))
          .map(([variable, name]) => [variable, change(service.text(name))]),
      ]);
    expect(environments(after, (text) => text)).toEqual(environments(before, renamed));
    const grants = (service: typeof before, change: (text: string) => string) =>
      grantsOf(service)
        .filter(({ action }) => action.startsWith('dynamodb:'))
        .map(({ role, action, resource }) => `${role} ${action} ${change(resource)}`)
        .toSorted();
    expect(grants(after, (text) => text)).toEqual(grants(before, renamed));
  });

  test('restores no table that has a stream or a policy, which a restored table lacks', () => {
    const shaped = z.object({
      StreamSpecification: z.optional(z.unknown()),
      Replicas: z.array(z.object({ ResourcePolicy: z.optional(z.unknown()) })),
    });
    const having = before
      .ofType('AWS::DynamoDB::GlobalTable', shaped)
      .filter(({ properties: { StreamSpecification, Replicas } }) =>
        [StreamSpecification, ...Replicas.map((one) => one.ResourcePolicy)].some((one) => one !== undefined),
      )
      .map(({ path }) => path);
    expect(having.toSorted()).toEqual(['Tables/audit', 'Tables/events']);
    expect(restoredTables.filter((name) => having.includes(`Tables/${name}`))).toEqual([]);
  });

  test('is stopped except for the functions that its deployment calls, which docs/disaster.md names', () => {
    const [, word = ''] = /contains\(LogicalResourceId, '(\w+)'\)/.exec(textOf('docs/disaster.md')) ?? [];
    const called = z.object({ ServiceToken: z.optional(z.unknown()) });
    const ofService = before.resources.filter(({ stack }) => stack === 'service');
    const left = ofService.filter(({ type, id }) => type === 'AWS::Lambda::Function' && id.includes(word));
    const tokens = ofService.map(({ properties }) => before.text(called.parse(properties).ServiceToken));
    expect(left.map(({ path }) => `<${path}.Arn>`)).toEqual([
      ...new Set(tokens.filter((token) => token.includes('.Arn'))),
    ]);
    expect(left).toHaveLength(1);
  });

  test('loads the lists of banks and tokens into the restored table', () => {
    const loaded = (service: typeof before) =>
      service.ofType('Custom::ParameterLists', z.object({ Table: z.optional(z.string()) }))[0]?.properties.Table;
    expect([loaded(before), loaded(after)]).toEqual([undefined, names['parameters']]);
  });

  // The data's stack is updated first: a rollback of the service's stack would miss an output that was removed.
  test('keeps each output that other stacks referred to', () => {
    const published = (service: typeof before) => Object.keys(service.outputs).filter((id) => id.startsWith('Publish'));
    expect(published(before)).toContain('PublishOutputRefTablesoperations4C7C29F5A1130B35');
    expect(published(after).toSorted()).toEqual(published(before).toSorted());
  });

  test('says in its outputs which tables it reads', () => {
    expect(after.outputs['operationsTable']).toBe(names['operations']);
    expect(after.outputs['eventsTable']).toEqual(before.outputs['eventsTable']);
  });

  test('has the restored tables in its stack once they are imported: named like its own tables, and kept beside them', () => {
    const imported = synthesiseStage(
      withSettings(stageNamed('staging'), settingsWith({ ...restored, booksMatched: true, inStack: true })),
    );
    const tablesOf = ({ resources }: typeof before) =>
      resources.filter(({ type }) => type === 'AWS::DynamoDB::GlobalTable');
    const own = tablesOf(before);
    const added = tablesOf(imported).filter(({ path }) => path.startsWith('Restored/'));
    expect(tablesOf(imported).filter((one) => !added.includes(one))).toEqual(own);
    const expected = restoredTables.map((name) => {
      const { properties } = own.find(({ path }) => path === `Tables/${name}`) ?? {};
      return [`Restored/${names[name]}`, 'Retain', { ...properties, TableName: names[name] }];
    });
    expect(added.map(({ path, deletionPolicy, properties }) => [path, deletionPolicy, properties])).toEqual(expected);
    expect(imported.text(imported.outputs['operationsTable'])).toBe(`<Restored/${names['operations']}>`);
  });

  test.each([
    ['a table that is never restored', { ...restored, tables: { audit: 'audit-2' } }, 'restored.tables'],
    ['a second that is none', { ...restored, at: '2026-11-27T10:00:00.5Z' }, 'restored.at'],
    ['books of which it is not said that they have matched', { ...restored, booksMatched: false }, 'restored.booksM'],
  ])('does not take %s', (_, given, at) => {
    expect(() => settingsWith(given)).toThrow(at);
  });
});
