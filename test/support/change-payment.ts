import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { inject } from 'vitest';
import { assignments } from '#shared/platform/dynamodb/conditional-write.ts';
import { deployedParts } from './deployed.ts';

/** Changes a payment at the simulated rail, without its notification. */
export async function changePayment(payinId: string, changes: Readonly<Record<string, string>>): Promise<void> {
  const { expression, names, values } = assignments(changes);
  await deployedParts().dynamo.send(
    new UpdateCommand({
      TableName: inject('stack')['simulatedPaymentsTable'],
      Key: { paymentId: payinId },
      UpdateExpression: expression,
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: values,
    }),
  );
}
