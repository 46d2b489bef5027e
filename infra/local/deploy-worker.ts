import { readdir, readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { BaseCredentials, BootstrapEnvironments, type IIoHost, Toolkit } from '@aws-cdk/toolkit-lib';
import * as z from 'zod/mini';
import { type Answer, task } from './deploy.ts';

/**
 * Bootstraps and deploys for `deploy.ts`, in a thread of its own: AWS's toolkit takes the endpoint only from the
 * environment, and each thread has its own; and a thread can be stopped, which the toolkit cannot.
 */
const { region, credentials } = z
  .object({
    region: z.string(),
    credentials: z.object({ accessKeyId: z.string(), secretAccessKey: z.string() }),
  })
  .parse(workerData);

/** Milliseconds between two polls of CloudFormation. */
const POLL_INTERVAL = 250;

const answer = (message: Answer) => parentPort?.postMessage(message);
const complaints: string[] = [];

/** The progress of a stack, under the id of its deployment. */
const activity = z.object({ deployment: z.string(), progress: z.object({ completed: z.int() }) });
const completed = new Map<string, number>();
let total = 0;

const ioHost: IIoHost = {
  notify: async ({ level, message, data }) => {
    if (level === 'error') complaints.push(message);
    const parsed = activity.safeParse(data);
    if (!parsed.success) return;
    completed.set(parsed.data.deployment, parsed.data.progress.completed);
    const sum = [...completed.values()].reduce((one, other) => one + other, 0);
    answer({ kind: 'progress', completed: sum, total });
  },
  requestResponse: async ({ defaultResponse }) => defaultResponse,
};

const baseCredentials = BaseCredentials.custom({ provider: async () => credentials, region });
const toolkit = new Toolkit({ ioHost, color: false, emojis: false, sdkConfig: { baseCredentials } });

async function bootstrap(): Promise<Record<string, string>> {
  await toolkit.bootstrap(BootstrapEnvironments.fromList([`aws://000000000000/${region}`]));
  return {};
}

async function deploy(assembly: string): Promise<Record<string, string>> {
  total = await countResources(assembly);
  const { stacks } = await toolkit.deploy(await toolkit.fromAssemblyDirectory(assembly), {
    deploymentMethod: { method: 'direct' },
    assetBuildConcurrency: availableParallelism(),
    stackEventPollingInterval: POLL_INTERVAL,
  });
  return Object.assign({}, ...stacks.map(({ outputs }) => outputs));
}

/** Counts the resources of all stacks, and each stack as one more. */
async function countResources(assembly: string): Promise<number> {
  const files = (await readdir(assembly)).filter((name) => name.endsWith('.template.json'));
  const templates = await Promise.all(files.map(async (name) => await readFile(join(assembly, name), 'utf8')));
  const resources = z.object({ Resources: z.record(z.string(), z.unknown()) });
  return templates.reduce((sum, text) => sum + Object.keys(resources.parse(JSON.parse(text)).Resources).length + 1, 0);
}

parentPort?.on('message', (message: unknown) => {
  const given = task.parse(message);
  (given.kind === 'bootstrap' ? bootstrap() : deploy(given.assembly)).then(
    (outputs) => answer({ kind: 'done', outputs }),
    (error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      answer({ kind: 'failed', said: [...complaints, reason].join('\n') });
    },
  );
});
