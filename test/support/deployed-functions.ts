import * as z from 'zod/mini';
import type { LocalAws } from '#infra/cli/local-aws.ts';

const listed = z.object({
  Functions: z.array(z.object({ FunctionName: z.string(), Description: z._default(z.string(), '') })),
});
const configured = z.object({ Environment: z.object({ Variables: z.record(z.string(), z.string()) }) });

/** The functions of the service on a local AWS. */
export function deployedFunctions({ endpoint, credentials, region }: LocalAws) {
  async function ask(path: string, body?: string): Promise<unknown> {
    const scope = `${credentials.accessKeyId}/20260101/${region}/lambda/aws4_request`;
    const authorization = `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=host, Signature=none`;
    const answer = await fetch(`${endpoint}/2015-03-31/functions${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization },
      ...(body !== undefined && { body }),
    });
    const text = await answer.text();
    if (!answer.ok || answer.headers.has('x-amz-function-error')) throw new Error(`${path}: ${answer.status} ${text}`);
    return JSON.parse(text);
  }

  return {
    /** Finds the name of the function of this folder, by its description, which contains the whole folder. */
    async find(folder: string): Promise<string> {
      const { Functions } = listed.parse(await ask('/?MaxItems=1000'));
      const found = Functions.find(({ Description }) => Description.includes(`/${folder}.`));
      if (found === undefined) throw new Error(`There is no function of ${folder}.`);
      return found.FunctionName;
    },
    async settingsOf(name: string): Promise<Readonly<Record<string, string>>> {
      return configured.parse(await ask(`/${name}/configuration`)).Environment.Variables;
    },
    async invoke(name: string): Promise<void> {
      await ask(`/${name}/invocations`, '{}');
    },
    /** Runs a scheduled function until its end. A call in the meantime waits for the same run. */
    sweep(folder: string): () => Promise<void> {
      let running: Promise<void> | undefined;
      const run = async () => this.invoke(await this.find(folder));
      return () => {
        running ??= run().finally(() => {
          running = undefined;
        });
        return running;
      };
    },
  };
}
