import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { localAwsAt, newCredentials } from '#infra/cli/local-aws.ts';
import { synthesise } from '../synthesise.ts';
import { graphFiles } from './graph-files.ts';

const template = z.object({
  Resources: z.record(z.string(), z.object({ Type: z.string(), Properties: z.optional(z.looseObject({})) })),
});

/** As CloudFormation puts it together, what it refers to left out. */
const joined = z.object({ 'Fn::Join': z.tuple([z.literal(''), z.array(z.unknown())]) });

const assembly = mkdtempSync(join(tmpdir(), 'graphs-'));
const { signal } = new AbortController();
try {
  await synthesise({
    aws: localAwsAt('http://127.0.0.1:1', newCredentials()),
    assembly,
    windowSeconds: undefined,
    signal,
  });
  for (const [file, text] of graphFiles(definitionIn(assembly))) {
    writeFileSync(new URL(`../../../${file}`, import.meta.url), text);
  }
} finally {
  rmSync(assembly, { recursive: true });
}

function definitionIn(folder: string): string {
  const written = readFileSync(join(folder, 'payin-offramp-local-service.template.json'), 'utf8');
  const { Resources } = template.parse(JSON.parse(written));
  const machine = Object.values(Resources).find(({ Type }) => Type === 'AWS::StepFunctions::StateMachine');
  const [, parts] = joined.parse(machine?.Properties?.['DefinitionString'])['Fn::Join'];
  return parts.map((part) => (typeof part === 'string' ? part : '')).join('');
}
