import { createSign, generateKeyPairSync } from 'node:crypto';
import {
  DecryptCommand,
  EncryptCommand,
  InvalidCiphertextException,
  KMSInternalException,
  KMSInvalidStateException,
  SignCommand,
} from '@aws-sdk/client-kms';
import * as z from 'zod/mini';
import { Unsupported } from './dynamodb/unsupported.ts';
import type { Answer, Host } from './host.ts';
import { type NetworkFaults, overTheNetwork } from './over-the-network.ts';

/** Made once: signatures differ each time anyway, and nothing depends on them. */
const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });

export { publicKey };

type AnswerOfKms = (command: object) => object;

const ciphertext = z.object({ keyId: z.string(), text: z.string(), context: z.string() });

export type KmsFaults = NetworkFaults;

export function createKms(host: Host, faults: KmsFaults, isKeyDisabled: boolean): Answer {
  return overTheNetwork(host, faults, refusalOfKms, isKeyDisabled ? answerOfDisabledKey : answerOfKms);
}

/** Signs with a real key. Ciphertexts are readable, and decrypt only with the same key and context. */
const answerOfKms: AnswerOfKms = (command) => {
  if (command instanceof SignCommand) {
    const signature = createSign('sha256')
      .update(command.input.Message ?? '')
      .sign(privateKey);
    return { Signature: signature };
  }
  if (command instanceof EncryptCommand) {
    const { KeyId: keyId, Plaintext, EncryptionContext } = command.input;
    const text = Buffer.from(Plaintext ?? []).toString('base64');
    return { CiphertextBlob: Buffer.from(JSON.stringify({ keyId, text, context: contextOf(EncryptionContext) })) };
  }
  if (command instanceof DecryptCommand) {
    const { KeyId, CiphertextBlob, EncryptionContext } = command.input;
    const { keyId, text, context } = ciphertext.parse(JSON.parse(Buffer.from(CiphertextBlob ?? []).toString()));
    if (keyId !== KeyId || context !== contextOf(EncryptionContext)) {
      throw new InvalidCiphertextException({ message: 'another key or context', $metadata: {} });
    }
    return { Plaintext: Buffer.from(text, 'base64') };
  }
  throw new Unsupported(command.constructor.name);
};

/** A key that is disabled, or whose deletion is scheduled: nothing can be decrypted. */
const answerOfDisabledKey: AnswerOfKms = (command) => {
  if (!(command instanceof DecryptCommand)) return answerOfKms(command);
  throw new KMSInvalidStateException({ message: 'The key is disabled.', $metadata: {} });
};

/** KMS fails at the moment; the SDK has tried three times. */
function refusalOfKms(): KMSInternalException {
  return new KMSInternalException({
    message: 'The request was rejected because of an internal failure.',
    $metadata: {},
  });
}

function contextOf(context: Readonly<Record<string, string>> | undefined): string {
  return JSON.stringify(Object.entries(context ?? {}).toSorted());
}
