import { type Stack, Tags } from 'aws-cdk-lib';
import type { Stage } from '#infra/stage/stages.ts';

/** Types whose tags are newer than the types: not every schema that a template is checked against has them. */
const excludeResourceTypes = ['AWS::CloudWatch::Dashboard'];

/** Tags every resource of the stack, for bills, searches and rules of the account. */
export function tagEverything(stack: Stack, { name, settings }: Stage): void {
  const tags = {
    service: 'payin-offramp',
    stage: name,
    // The tables have names, documents and telephone numbers of payers.
    'data-classification': name === 'prod' ? 'confidential' : 'test',
    ...settings.tags,
  };
  for (const [key, value] of Object.entries(tags)) Tags.of(stack).add(key, value, { excludeResourceTypes });
}
