import { inject } from 'vitest';
import { addDemoClient, type DemoClient } from '#infra/local/demo-data.ts';
import { awsOf } from '#infra/local/local-outputs.ts';

/** An approved client of its own: it hears nothing of other tests, and does not share its slots with them. */
export function newTenant(name: string): Promise<DemoClient> {
  return addDemoClient(awsOf(inject('outputs')), inject('stack'), name, true);
}
