import * as z from 'zod/mini';
import type { AwsInMemory, Deployed } from '#test/simulation/aws/aws-in-memory.ts';
import type { OnInvocation } from '#test/simulation/aws/host.ts';
import { Violation } from '#test/simulation/books/violation.ts';
import { createClients, nobodyAsks } from '#test/simulation/kernel/clients.ts';
import { throughDocumentClient } from '#test/simulation/kernel/document-commands.ts';
import { type Line, playScript } from '#test/simulation/run/round.ts';
import { withEnvironment } from '#test/simulation/service/environment.ts';
import type { Script } from '#test/simulation/world/script/script.ts';
import { type Call, type CloudWatch, createCloudWatch } from './cloud-watch.ts';
import type { Alarms } from './read-alarms.ts';

export interface Watched {
  readonly script: Script;
  /** The time from which alarms are evaluated, in milliseconds since 1970. */
  readonly from: number;
  readonly isKeyDisabled?: true;
}

const MINUTE = 60_000;

/**
 * Plays a script, and returns the alarms that call a person, with their times. Heartbeat alarms are left out: in the
 * simulation a sweep is only called when it finds something.
 */
export async function callsIn(
  deployed: Deployed,
  { alarms, filters }: Alarms,
  { script, from, isKeyDisabled }: Watched,
): Promise<readonly Call[]> {
  const isHeartbeat = ({ name }: { name: string }) => name.endsWith('NotRunning');
  const cloudWatch = createCloudWatch({ alarms: alarms.filter((one) => !isHeartbeat(one)), filters });
  let lastLook = 0;
  const measure = await measurer(deployed, cloudWatch);
  try {
    await playScript(deployed, script, [1, 2, 3], {
      isKeyDisabled,
      tell: (line) => logTo(cloudWatch, line),
      onInvocation: countIn(cloudWatch, deployed),
      async eachMinute(aws, now) {
        await measure(aws, now);
        lastLook = now.getTime();
        if (lastLook >= from) cloudWatch.look(lastLook);
      },
    });
  } catch (error) {
    // The failure leaves work undone, which breaks rules at the end.
    if (!(error instanceof Violation) || lastLook + 2 * MINUTE < (script.endsAt ?? 0)) throw error;
  }
  return cloudWatch.calls;
}

const fields = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));

/** Logs a line as the runtime of Lambda writes it. */
function logTo(cloudWatch: CloudWatch, { at, who, text }: Line): void {
  const [, level, code, told = '{}'] = /^(ERROR|WARN|info) ([A-Z_]+) (\{.*)?/s.exec(text) ?? [];
  const folder = /^(\S+\/\S+) \(\d+\)$/.exec(who)?.[1];
  if (level === undefined || code === undefined || folder === undefined) return;
  const message = Object.entries({ ...fields.parse(JSON.parse(told)), code });
  const line = Object.fromEntries(message.map(([name, value]) => [`message.${name}`, value]));
  cloudWatch.log(folder, at, { ...line, level: level.toUpperCase() });
}

/** Counts the metrics that Lambda and API Gateway record themselves. */
function countIn(cloudWatch: CloudWatch, { topology }: Deployed): OnInvocation {
  const apiOf = new Map(topology.routes.map(({ folder, api }) => [folder, api.replace(/Api.*$/, '').toLowerCase()]));
  return (folder, ended, at) => {
    if (ended.state === 'THROTTLED') return;
    const hasFailed = ended.state !== 'DONE';
    const count = (namespace: string, dimensions: string, counts: Readonly<Record<string, boolean>>) => {
      for (const [name, is] of Object.entries(counts)) cloudWatch.add({ namespace, name, dimensions }, at, Number(is));
    };
    count('AWS/Lambda', `FunctionName=${folder}`, { Invocations: true, Errors: hasFailed });
    if (ended.state === 'THREW') cloudWatch.log(folder, at, { level: 'ERROR', 'message.errorType': 'Error' });
    const api = apiOf.get(folder);
    if (api === undefined) return;
    const status = ended.state === 'DONE' ? answered.parse(ended.value).statusCode : 502;
    count('AWS/ApiGateway', `ApiName=payin-offramp-prod-service-${api}`, {
      Count: true,
      '4XXError': status >= 400 && status < 500,
      '5XXError': status >= 500,
    });
  };
}

const answered = z.object({ statusCode: z.int() });

const embedded = z.object({
  _aws: z.object({
    Timestamp: z.int(),
    CloudWatchMetrics: z.tuple([
      z.object({
        Namespace: z.string(),
        Dimensions: z.tuple([z.tuple([])]),
        Metrics: z.array(z.object({ Name: z.string() })),
      }),
    ]),
  }),
});

/** Returns a function that records the dead letters and the service's own measures. */
async function measurer({ topology }: Deployed, cloudWatch: CloudWatch) {
  const measures = topology.functions.find(({ folder }) => folder === 'operators/measure-ages');
  const environment = { ...measures?.environment, METRICS_NAMESPACE: 'payin-offramp/prod' };
  // The module reads its settings on import.
  const { wire } = await withEnvironment(environment, () => import('#functions/operators/measure-ages/handler.ts'));
  const take = (line: string) => {
    const written: Readonly<Record<string, unknown>> = JSON.parse(line);
    const { Timestamp, CloudWatchMetrics } = embedded.parse(written)._aws;
    const [{ Namespace: namespace, Metrics }] = CloudWatchMetrics;
    for (const { Name: name } of Metrics)
      cloudWatch.add({ namespace, name, dimensions: '' }, Timestamp, z.number().parse(written[name]));
  };
  return async ({ engine, queues }: AwsInMemory, now: Date): Promise<void> => {
    const { dynamo } = createClients({
      ...nobodyAsks,
      dynamo: throughDocumentClient(async (request) => engine.answer(request)),
    });
    const clock = { now: () => now, random: () => 0, sleep: async () => {}, after: () => () => {} };
    await withEnvironment(environment, () => wire({ dynamo, writeLine: take }, clock))({});
    for (const { queue } of topology.queueConsumers) {
      const { deadLetters } = topology.queues.find(({ name }) => name === queue) ?? {};
      const dimensions = `QueueName={Fn::GetAtt:[${deadLetters?.queue},QueueName]}`;
      const shape = { namespace: 'AWS/SQS', name: 'ApproximateNumberOfMessagesVisible', dimensions };
      cloudWatch.add(shape, now.getTime() - 1, queues.deadLetters(queue).length);
    }
  };
}
