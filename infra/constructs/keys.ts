import { Stack } from 'aws-cdk-lib';
import { Key, type KeySpec, KeyUsage } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import type { Stage } from '../stages.ts';
import { removalPolicyOf } from './removal-policy.ts';

/** A key whose private half never leaves KMS. */
export function signingKey(scope: Construct, id: string, keySpec: KeySpec, stage: Stage): Key {
  return new Key(scope, id, { ...asAllKeys(scope, id, stage), keySpec, keyUsage: KeyUsage.SIGN_VERIFY });
}

/** A key that encrypts, of which KMS makes new material every year and keeps the old to decrypt with. */
export function encryptionKey(scope: Construct, id: string, stage: Stage): Key {
  return new Key(scope, id, { ...asAllKeys(scope, id, stage), enableKeyRotation: true });
}

/** Its alias is what people read; functions are told its id. */
function asAllKeys(scope: Construct, id: string, stage: Stage) {
  return { alias: `${Stack.of(scope).stackName}/${id}`, removalPolicy: removalPolicyOf(stage) };
}
