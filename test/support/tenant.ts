import { inject } from 'vitest';
import { awsOf, type DemoClient } from '#infra/cli/local-outputs.ts';
import { addDemoClient } from '#infra/local/demo-data.ts';

/** Adds an approved client for one test: it gets no events of other tests, and does not share its slots with them. */
export function newTenant(name: string): Promise<DemoClient> {
  const outputs = inject('outputs');
  return addDemoClient(awsOf(outputs), inject('stack'), { name, approved: true, chains: outputs.chain ?? {} });
}
