import type { App } from 'aws-cdk-lib';
import type { FunctionBundles } from '#infra/bundle/bundle-functions.ts';
import type { Stage } from '#infra/stages.ts';
import { DataStack } from './data-stack.ts';
import { ServiceStack } from './service-stack.ts';
import { copyName, serviceStackName } from './stack-names.ts';

/**
 * Both stacks of a stage; the second is deployed after the first, whose values it reads.
 *
 * @param name of the copy, by which all names in it begin
 * @throws when the custodian cannot keep a deposit apart from another
 */
export function createStacks(app: App, stage: Stage, bundles: FunctionBundles, name = copyName(stage.name)) {
  const { custodian } = stage;
  if (!custodian.hasAddressPerOperation)
    throw new Error(`The custodian ${custodian.name} cannot promise each off-ramp a deposit address of its own.`);
  const data = new DataStack(app, `${name}-data`, stage);
  return { data, service: new ServiceStack(app, serviceStackName(name), { stage, bundles, data }) };
}
