import { tableShapes } from '#infra/constructs/tables.ts';
import { engine } from '../interleavings/dynamodb/engine.ts';
import { awsClients } from '../interleavings/kernel/aws.ts';

const noLag = { now: () => 0, ofIndexes: () => 0, isStale: () => false };

const unused = async () => {
  throw new Error('Not asked for.');
};

/**
 * The service's tables, by their names, and a client of the SDK that they answer. The answers to so many writes are lost:
 * the SDK sends them again.
 */
export function tablesInMemory(lostAnswers = 0) {
  const { answer: answerOf, tables } = engine(tableShapes, noLag);
  const clients = awsClients();
  clients.use({
    dynamo: async (request) => {
      const answer = answerOf(request);
      if (request.name === 'GetItemCommand' || lostAnswers === 0) return answer;
      lostAnswers -= 1;
      return answerOf(request);
    },
    stepFunctions: unused,
    sqs: unused,
  });
  return { dynamo: clients.dynamo, tables };
}
