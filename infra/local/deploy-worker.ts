import { availableParallelism } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { BaseCredentials, BootstrapEnvironments, type IIoHost, Toolkit } from '@aws-cdk/toolkit-lib';
import * as z from 'zod/mini';
import type { Answer } from './deploy.ts';
import { emulatorCredentials } from './emulator.ts';

/**
 * Bootstraps and deploys for `deploy.ts`, in a thread of its own: AWS's toolkit takes the endpoint from the environment
 * only, which is a thread's own, and cannot be stopped, which a thread can.
 */
const { assembly } = z.object({ assembly: z.string() }).parse(workerData);

/** Milliseconds between two looks at what CloudFormation has done. */
const POLL_INTERVAL = 250;

const answer = (message: Answer) => parentPort?.postMessage(message);
const complaints: string[] = [];

const beginning = z.object({
  stack: z.object({ template: z.object({ Resources: z.record(z.string(), z.unknown()) }) }),
});
const activity = z.object({ progress: z.object({ completed: z.int() }) });
let total = 0;

const ioHost: IIoHost = {
  notify: async ({ level, message, data }) => {
    if (level === 'error') complaints.push(message);
    const begun = beginning.safeParse(data);
    // The stack itself is one of them.
    if (begun.success) total = Object.keys(begun.data.stack.template.Resources).length + 1;
    const told = activity.safeParse(data);
    if (told.success) answer({ kind: 'progress', completed: told.data.progress.completed, total });
  },
  requestResponse: async ({ defaultResponse }) => defaultResponse,
};

const {
  AWS_ACCESS_KEY_ID: accessKeyId,
  AWS_SECRET_ACCESS_KEY: secretAccessKey,
  AWS_REGION: region,
} = emulatorCredentials;
const baseCredentials = BaseCredentials.custom({ provider: async () => ({ accessKeyId, secretAccessKey }), region });
const toolkit = new Toolkit({ ioHost, color: false, emojis: false, sdkConfig: { baseCredentials } });

const tasks = {
  bootstrap: async () => {
    await toolkit.bootstrap(BootstrapEnvironments.fromList([`aws://000000000000/${region}`]));
    return {};
  },
  deploy: async () => {
    const { stacks } = await toolkit.deploy(await toolkit.fromAssemblyDirectory(assembly), {
      deploymentMethod: { method: 'direct' },
      assetBuildConcurrency: availableParallelism(),
      stackEventPollingInterval: POLL_INTERVAL,
    });
    return stacks[0]?.outputs ?? {};
  },
};

parentPort?.on('message', (message: unknown) => {
  const task = z.enum(['bootstrap', 'deploy']).parse(message);
  tasks[task]().then(
    (outputs) => answer({ kind: 'done', outputs }),
    (error: unknown) => {
      const said = error instanceof Error ? error.message : String(error);
      answer({ kind: 'failed', said: [...complaints, said].join('\n') });
    },
  );
});
