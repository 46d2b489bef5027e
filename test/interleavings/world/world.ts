import { DynamoDBServiceException } from '@aws-sdk/client-dynamodb';
import { tableShapes } from '#infra/platform/table-shapes.ts';
import type { OffRamp } from '#shared/off-ramps/off-ramp.ts';
import { checkAlways } from '#test/interleavings/invariants/always.ts';
import { recordsIn } from '#test/interleavings/invariants/records.ts';
import { Violation } from '#test/interleavings/invariants/violation.ts';
import { describeRefusal, describeRequest } from '#test/simulation/aws/dynamodb/describe.ts';
import { type Engine, engine } from '#test/simulation/aws/dynamodb/engine.ts';
import type { Lag } from '#test/simulation/aws/dynamodb/lag.ts';
import { overTheNetwork } from '#test/simulation/aws/dynamodb/network.ts';
import { writesOf } from '#test/simulation/aws/dynamodb/request.ts';
import { Unsupported } from '#test/simulation/aws/dynamodb/unsupported.ts';
import type { IsWaived } from '#test/simulation/aws/dynamodb/write.ts';
import type { AwsClients } from '#test/simulation/kernel/aws.ts';
import type { Random } from '#test/simulation/kernel/random.ts';
import { type Schedule, schedule } from '#test/simulation/kernel/schedule.ts';
import { putApprovedClients } from './approved-clients.ts';
import { createCustodian } from './chain.ts';
import { createExecutions, type Executions } from './executions.ts';
import { CHANCES, CUSTODIAN_FAULT, DUPLICATE, DYNAMO_FAULTS, EXECUTION_FAULTS, LAGS, LONGEST_LAG } from './faults.ts';
import { readable } from './names.ts';
import { createQueue, type Queue } from './queue.ts';
import { type Script, START } from './script.ts';
import { createService, type Service } from './service.ts';

export interface Watchers {
  readonly isWaived?: IsWaived;
  /** Is told everything that happens, line by line. */
  readonly tell?: (line: string) => void;
}

/** The service, and what stands for everything around it. */
export interface World {
  trace(text: () => string): void;
  readonly schedule: Schedule;
  readonly random: Random;
  readonly engine: Engine;
  readonly service: Service;
  readonly executions: Executions;
  readonly statusChanges: Queue;
  /** Reports that were answered 409, because another operation had declared the hash. */
  readonly lostReports: { readonly operation: OffRamp; readonly txHash: string }[];
}

export function createWorld(aws: AwsClients, script: Script, random: Random, { isWaived, tell }: Watchers): World {
  const plan = schedule(random, CHANCES, START);
  const { clock } = plan;
  const lag: Lag = {
    now: () => clock.now().getTime(),
    ofIndexes: () => (random.chance(LAGS) ? random.below(LONGEST_LAG) : 0),
    isStale: () => random.chance(0.5),
  };
  const named = readable(script);
  const trace = tell === undefined ? () => {} : (text: () => string) => tell(named(`${plan.who()}: ${text()}`));
  const watched = watchedBy(plan, engine(tableShapes, lag, { isWaived }), script, trace);
  putApprovedClients(watched, new Set(script.operations.map(({ clientId }) => clientId)));
  const service = createService({
    aws,
    clock,
    newId: random.id,
    findTransfers: createCustodian(plan, random, script.chain, script.outages, CUSTODIAN_FAULT),
  });
  const executions = createExecutions(plan, random, EXECUTION_FAULTS, service.checkDeposit);
  const notifiedTransfers = createQueue(plan, random, DUPLICATE, {
    name: 'match-deposit',
    limitSeconds: 30,
    visibilitySeconds: 180,
    maxReceives: 5,
    handle: service.matchDeposit,
  });
  const statusChanges = createQueue(plan, random, DUPLICATE, {
    name: 'apply-status-change',
    limitSeconds: 15,
    visibilitySeconds: 90,
    maxReceives: 20,
    handle: service.applyStatusChange,
  });
  aws.use({
    dynamo: overTheNetwork(watched, plan, random, DYNAMO_FAULTS),
    stepFunctions: executions.answer,
    async sqs({ input }) {
      await plan.turn('REQUEST');
      if ('MessageBody' in input) notifiedTransfers.send(input.MessageBody ?? '', input.DelaySeconds ?? 0);
      await plan.turn('ANSWER');
      return { $metadata: {} };
    },
  });
  return { schedule: plan, trace, random, engine: watched, service, executions, statusChanges, lostReports: [] };
}

/** Looks at all records after every write, and ends the round at the first that is not as it must be. */
function watchedBy({ clock, fail }: Schedule, tables: Engine, script: Script, trace: World['trace']): Engine {
  return {
    ...tables,
    answer(request) {
      try {
        const output = tables.answer(request);
        trace(() => describeRequest(request));
        if (writesOf(request).length > 0) checkAlways(recordsIn(tables), clock.now().getTime(), script);
        return output;
      } catch (error) {
        trace(() => `${describeRequest(request)} → ${describeRefusal(error)}`);
        if (isOurs(error)) fail(error);
        throw error;
      }
    },
  };
}

/** What no fault of AWS explains. */
function isOurs(error: unknown): boolean {
  const isInvalid = error instanceof DynamoDBServiceException && error.name === 'ValidationException';
  return isInvalid || error instanceof Violation || error instanceof Unsupported;
}
