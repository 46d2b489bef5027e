import { Unsupported } from './unsupported.ts';

const expressions = ['ExpressionAttributeNames', 'ExpressionAttributeValues'];

/** The implemented parameters of each request. */
const known = {
  GET: new Set(['TableName', 'Key', 'ConsistentRead']),
  BATCH_GET: new Set(['RequestItems']),
  BATCH_KEYS: new Set(['Keys', 'ConsistentRead']),
  QUERY: new Set([
    ...['TableName', 'IndexName', 'ConsistentRead', 'Limit', 'ScanIndexForward', 'ExclusiveStartKey'],
    ...['KeyConditionExpression', 'FilterExpression'],
    ...expressions,
  ]),
  WRITE: new Set([
    ...['kind', 'TableName', 'Item', 'Key', 'ReturnValues', 'ReturnValuesOnConditionCheckFailure'],
    ...['UpdateExpression', 'ConditionExpression'],
    ...expressions,
  ]),
  // The SDK adds a token to each transaction, so that a repeated one is not written twice.
  TRANSACTION: new Set(['TransactItems']),
};

/** @throws {Unsupported} for a parameter that is not implemented */
export function expectKnown<Input extends object>(of: keyof typeof known, input: Input): Input {
  const names = known[of];
  for (const name in input) {
    if (!names.has(name) && input[name] !== undefined) throw new Unsupported(`${name} of ${of}`);
  }
  return input;
}
