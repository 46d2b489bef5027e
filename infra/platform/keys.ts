import { Stack } from 'aws-cdk-lib';
import { type IKey, Key, KeySpec, KeyUsage } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import type { KeyName } from '#infra/stage/deployments.ts';
import type { Stage } from '#infra/stage/stages.ts';
import { denyToOthers } from './named-roles.ts';
import { removalPolicyOf } from './removal-policy.ts';

export type Keys = Readonly<Record<KeyName, IKey>>;

export function createKeys(scope: Construct, stage: Stage): Keys {
  const accessTokens = signingKey(scope, 'AccessTokenKey', KeySpec.ECC_NIST_P256, stage);
  // The holder of this key can act as any client: all other roles are denied it, whatever their policies allow.
  if (stage.keepsData) {
    const signing = { sid: 'SignedByTheIssuerOnly', actions: ['kms:Sign'], folders: ['clients/issue-token'] };
    accessTokens.addToResourcePolicy(denyToOthers(scope, stage, signing));
  }
  return {
    accessTokens,
    webhookSecrets: encryptionKey(scope, 'WebhookSecretsKey', stage),
    simulatedCustodian: signingKey(scope, 'SimulatedCustodianKey', KeySpec.RSA_2048, stage),
    simulatedRail: signingKey(scope, 'SimulatedRailKey', KeySpec.RSA_2048, stage),
  };
}

/** A key whose private half never leaves KMS. */
function signingKey(scope: Construct, id: string, keySpec: KeySpec, stage: Stage): Key {
  return new Key(scope, id, { ...asAllKeys(scope, id, stage), keySpec, keyUsage: KeyUsage.SIGN_VERIFY });
}

/**
 * An encryption key whose material KMS rotates every year. It is multi-region from the beginning, because a key cannot
 * become so later.
 */
function encryptionKey(scope: Construct, id: string, stage: Stage): Key {
  return new Key(scope, id, { ...asAllKeys(scope, id, stage), enableKeyRotation: true, multiRegion: true });
}

/** The alias is for people; functions get the id of the key. */
function asAllKeys(scope: Construct, id: string, stage: Stage) {
  return { alias: `${Stack.of(scope).stackName}/${id}`, removalPolicy: removalPolicyOf(stage) };
}
