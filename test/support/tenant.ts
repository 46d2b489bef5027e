import { inject } from 'vitest';
import { awsOf, type DemoClient } from '#infra/cli/local-outputs.ts';
import { addDemoClient } from '#infra/local/demo-data.ts';

/** An approved client of its own: it hears nothing of other tests, and does not share its slots with them. */
export function newTenant(name: string): Promise<DemoClient> {
  const outputs = inject('outputs');
  return addDemoClient(awsOf(outputs), inject('stack'), { name, approved: true, chains: outputs.chain ?? {} });
}
