import { RemovalPolicy } from 'aws-cdk-lib';
import type { Stage } from '#infra/stage/stages.ts';

/**
 * Of what survives its stack where the stage keeps its data, and can be made again: a first deployment that fails takes it
 * along, so that a second one does not leave it behind twice.
 */
export function removalPolicyOf({ keepsData }: Stage): RemovalPolicy {
  return keepsData ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;
}
