import type { App } from 'aws-cdk-lib';
import { CfnMetricFilter } from 'aws-cdk-lib/aws-logs';
import type { FunctionBundles } from '#infra/bundle/bundle-functions.ts';
import { custodiansOf, railsOf, type Stage } from '#infra/stage/stages.ts';
import { DataStack } from './data-stack.ts';
import { OperatorsStack } from './operators-stack.ts';
import { ServiceStack } from './service-stack.ts';
import { copyName, operatorsStackName, serviceStackName } from './stack-names.ts';

/**
 * The stacks of a stage: the service is deployed after the data, whose values it reads, and the operators' stack after
 * both.
 *
 * @param name of the copy, the first part of all its names
 * @throws when a custodian cannot separate deposits, or providers could not be recognised
 */
export function createStacks(app: App, stage: Stage, bundles: FunctionBundles, name = copyName(stage.name)) {
  const { settings } = stage;
  const shared = custodiansOf(stage).find(({ hasAddressPerOperation }) => !hasAddressPerOperation);
  if (shared !== undefined)
    throw new Error(`The custodian ${shared.name} cannot promise each off-ramp a deposit address of its own.`);
  const publish = [
    ...custodiansOf(stage).filter(({ signatureHeader }) => signatureHeader !== undefined),
    ...railsOf(stage).filter(({ notifiesFromAnywhere }) => !notifiesFromAnywhere),
  ];
  if (
    stage.name === 'prod' &&
    publish.some(({ isSimulated }) => !isSimulated) &&
    settings.providerSources === undefined
  )
    throw new Error('Production needs the addresses that its providers publish: list them as providerSources.');
  if (stage.hasSandbox && settings.providerSources !== undefined)
    throw new Error('The simulated providers notify from addresses of AWS: leave providerSources out here.');
  const data = new DataStack(app, `${name}-data`, stage);
  const service = new ServiceStack(app, serviceStackName(name), { stage, bundles, data });
  const operators = new OperatorsStack(app, operatorsStackName(name), { stage, bundles, data, service });
  for (const stack of [service, operators])
    oneByOne(stack.node.findAll().filter((one) => one instanceof CfnMetricFilter));
  return { data, service, operators };
}

/**
 * CloudWatch Logs takes a few metric filters a second. CloudFormation would send all of them at once, and one that is
 * refused (`Rate exceeded`) fails the whole deployment, as users report:
 * https://github.com/aws-solutions-library-samples/guidance-for-low-code-intelligent-document-processing-on-aws/issues/2
 */
function oneByOne(filters: readonly CfnMetricFilter[]): void {
  for (const [at, filter] of filters.entries()) {
    const before = filters[at - 1];
    if (before !== undefined) filter.addResourceDependency(before);
  }
}
