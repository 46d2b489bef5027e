import { RemovalPolicy } from 'aws-cdk-lib';
import type { Stage } from '#infra/stage/stages.ts';

/**
 * The removal policy of a resource that survives its stack where the stage keeps data, but can be made again: a first
 * deployment that fails deletes it, so that the second one does not leave two.
 */
export function removalPolicyOf({ keepsData }: Stage): RemovalPolicy {
  return keepsData ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;
}
