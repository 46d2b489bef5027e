import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { stageNames, synthesise } from '#test/support/synthesised.ts';

const tags = z.array(z.object({ Key: z.string(), Value: z.string() }));
const tagged = z.object({ Tags: tags });
/** A table has its tags in each region. */
const table = z.object({ Replicas: z.array(tagged) });

/** Resources that cost money, or that people search for. */
const kinds = [
  'AWS::ApiGateway::RestApi',
  'AWS::CloudWatch::Alarm',
  'AWS::Events::EventBus',
  'AWS::IAM::Role',
  'AWS::KMS::Key',
  'AWS::Lambda::Function',
  'AWS::Logs::LogGroup',
  'AWS::SQS::Queue',
  'AWS::StepFunctions::StateMachine',
];

describe.each(stageNames)('everything in %s', (stageName) => {
  const service = synthesise(stageName);
  const expected = [
    { Key: 'data-classification', Value: stageName === 'prod' ? 'confidential' : 'test' },
    { Key: 'service', Value: 'payin-offramp' },
    { Key: 'stage', Value: stageName },
  ];

  test.each(kinds)('says what it belongs to: %s', (kind) => {
    const found = service.ofType(kind, tagged);
    expect(found).not.toEqual([]);
    expect(found.map(({ properties }) => properties.Tags)).toEqual(found.map(() => expected));
  });

  test('says what it belongs to: tables', () => {
    const found = service.ofType('AWS::DynamoDB::GlobalTable', table).flatMap(({ properties }) => properties.Replicas);
    expect(found).not.toEqual([]);
    expect(found.map((replica) => replica.Tags)).toEqual(found.map(() => expected));
  });
});
