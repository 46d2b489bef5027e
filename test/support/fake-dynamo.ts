import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { documentClient } from '#shared/platform/dynamodb/client.ts';

/** A client whose commands are answered by this function; `sent` has their inputs. */
export function fakeDynamo(answer: (input: unknown) => Promise<object>) {
  const sent: unknown[] = [];
  const client = Object.assign(documentClient(new DynamoDBClient({ region: 'us-east-1' })), {
    send: async (command: { readonly input: unknown }) => {
      sent.push(command.input);
      return answer(command.input);
    },
  });
  return { client, sent };
}
