import { Unsupported } from './unsupported.ts';

const expressions = ['ExpressionAttributeNames', 'ExpressionAttributeValues'];

/** Everything that changes what a request does, and is known here. */
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
  // The SDK puts a token into each transaction: one that it sends again is not written again.
  TRANSACTION: new Set(['TransactItems']),
};

/** @throws {Unsupported} for a parameter that nothing here heeds. */
export function expectKnown<Input extends object>(of: keyof typeof known, input: Input): Input {
  const names = known[of];
  for (const name in input) {
    if (!names.has(name) && input[name] !== undefined) throw new Unsupported(`${name} of ${of}`);
  }
  return input;
}
