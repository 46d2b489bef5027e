import * as z from 'zod/mini';
import type { LocalAws } from '#infra/cli/local-aws.ts';

const named = z.object({ Functions: z.array(z.object({ FunctionName: z.string() })) });
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
    /** The name of the function with this in it, whatever the case. */
    async find(part: string): Promise<string> {
      const { Functions } = named.parse(await ask('/?MaxItems=1000'));
      const names = Functions.map(({ FunctionName }) => FunctionName);
      const found = names.find((name) => name.toLowerCase().includes(part.toLowerCase()));
      if (found === undefined) throw new Error(`There is no function ${part} among ${names.join()}.`);
      return found;
    },
    async settingsOf(name: string): Promise<Readonly<Record<string, string>>> {
      return configured.parse(await ask(`/${name}/configuration`)).Environment.Variables;
    },
    async invoke(name: string): Promise<void> {
      await ask(`/${name}/invocations`, '{}');
    },
  };
}
