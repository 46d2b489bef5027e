import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import * as z from 'zod/mini';
import { environmentOf, type LocalAws } from '#infra/cli/local-aws.ts';

/** The outputs of the deployed stacks, by name. */
export type StackOutputs = Readonly<Record<string, string>>;

/** A task for the thread; `assembly` is a folder. */
export const task = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('bootstrap') }),
  z.object({ kind: z.literal('deploy'), assembly: z.string() }),
]);

type Task = z.infer<typeof task>;

/** A message of the thread about its current task. */
export type Answer = z.infer<typeof answer>;

const answer = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('progress'), completed: z.int(), total: z.int() }),
  z.object({ kind: z.literal('done'), outputs: z.record(z.string(), z.string()) }),
  z.object({ kind: z.literal('failed'), said: z.string() }),
]);

type Report = (howFar: string) => void;

export interface Deployer {
  /** Prepares the account of the local AWS, as `cdk bootstrap` does with every account. */
  bootstrap(report: Report, signal: AbortSignal): Promise<void>;
  /** Deploys what was synthesised: the stacks of production, with the settings of the local stage. */
  deploy(assembly: string, report: Report, signal: AbortSignal): Promise<StackOutputs>;
  stop(): Promise<void>;
}

/** The deployment failed. */
export class DeploymentFailed extends Error {
  override readonly name = 'DeploymentFailed';
}

/**
 * AWS's toolkit for the account of a local AWS; it loads while the local AWS starts.
 *
 * @param cache the toolkit's folder, which contains the key: it stays out of the user's home
 */
export function startDeployer(aws: LocalAws, cache: string): Deployer {
  const worker = new Worker(new URL('deploy-worker.ts', import.meta.url), {
    workerData: aws,
    env: { ...environmentOf(aws), CDK_HOME: cache },
    stdout: true,
    stderr: true,
  });
  let broken: Error | undefined;
  worker.on('error', (cause) => {
    broken = new DeploymentFailed(`The CDK's toolkit has failed: ${cause}`, { cause });
  });
  const perform = async (task: Task, report: Report, signal: AbortSignal): Promise<StackOutputs> => {
    if (broken !== undefined) throw broken;
    worker.postMessage(task);
    for await (const [message] of on(worker, 'message', { signal })) {
      const parsed = answer.parse(message);
      if (parsed.kind === 'done') return parsed.outputs;
      if (parsed.kind === 'failed') throw new DeploymentFailed(parsed.said);
      report(`${parsed.completed} of ${parsed.total} resources`);
    }
    throw new DeploymentFailed("The CDK's toolkit does not answer.");
  };
  return {
    bootstrap: async (report, signal) => void (await perform({ kind: 'bootstrap' }, report, signal)),
    deploy: (assembly, report, signal) => perform({ kind: 'deploy', assembly }, report, signal),
    stop: async () => void (await worker.terminate()),
  };
}
