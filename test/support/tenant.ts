import { inject } from 'vitest';
import { awsOf, type DemoClient } from '#infra/cli/local-outputs.ts';
import { addDemoClient } from '#infra/local/demo-data.ts';

/** An approved client of its own: it hears nothing of other tests, and does not share its slots with them. */
export function newTenant(name: string): Promise<DemoClient> {
  return addDemoClient(awsOf(inject('outputs')), inject('stack'), name, true);
}
