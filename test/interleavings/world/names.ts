import type { Script } from './script.ts';

/** Names for what a round is about, in place of ids, hashes and addresses. */
export function readable({ operations, chain }: Script): (line: string) => string {
  const names = new Map<string, string>();
  for (const [number, { operationId, address, senderAddress, clientId, userId }] of operations.entries()) {
    names.set(operationId, `operation ${number + 1}`);
    for (const [text, what] of Object.entries({ address, senderAddress, clientId, userId })) {
      if (!names.has(what)) names.set(what, `${text} ${number + 1}`);
    }
  }
  for (const { facts } of chain) names.set(facts.txHash, `hash ${facts.txHash.at(-1)}`);
  return (line) => [...names].reduce((text, [long, name]) => text.replaceAll(long, name), line);
}
