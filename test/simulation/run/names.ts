import type { Item } from '#test/simulation/aws/dynamodb/attribute-values.ts';
import type { Transaction } from '#test/simulation/books/change.ts';
import type { Script } from '#test/simulation/world/script/script.ts';

/** Names for what a round is about, in place of ids, hashes and addresses. */
export interface Names {
  /** Learns the ids that the service has given. */
  readonly learn: (changes: Transaction) => void;
  /** The text with every name that is known by now. */
  readonly named: (text: string) => string;
}

export function createNames(script: Script): Names {
  const names = new Map<string, string>();
  const give = (id: string | undefined, name: string) => {
    if (id !== undefined && id !== '' && !names.has(id)) names.set(id, name);
  };
  const nameOf = (id: string | undefined) => names.get(id ?? '') ?? id ?? '';
  nameScript(script, give);

  const learnFrom: Readonly<Record<string, (item: Item) => void>> = {
    operations({ operationId, externalReference, address, addressTag }) {
      const name = script.offRamps.find((one) => one.externalReference === externalReference?.S)?.name ?? 'an off-ramp';
      give(operationId?.S, name);
      if (addressTag === undefined) give(address?.S, `address of ${name}`);
    },
    payins({ payinId, externalReference }) {
      give(payinId?.S, script.payins.find((one) => one.externalReference === externalReference?.S)?.name ?? 'a pay-in');
    },
    webhooks({ webhookId, url }) {
      if (!webhookId?.S?.startsWith('#')) give(webhookId?.S, nameOf(url?.S?.replace(/\/moved$/, '')));
    },
    events({ eventId, body }) {
      const [, sequence = ''] = /"sequence":(\d+)/.exec(body?.S ?? '') ?? [];
      const [, about] = /"(?:operationId|payinId)":"([\w-]+)/.exec(body?.S ?? '') ?? [];
      give(eventId?.S, about === undefined ? 'an event' : `event ${sequence} of ${nameOf(about)}`);
    },
    deliveries({ deliveryId, eventId, webhookId }) {
      if (eventId !== undefined) give(deliveryId?.S, `delivery of ${nameOf(eventId.S)} to ${nameOf(webhookId?.S)}`);
    },
  };

  return {
    learn(changes) {
      for (const { table, after } of changes) if (after !== undefined) learnFrom[table]?.(after);
    },
    // Longer ones first: an address of a webhook has the id of its client in it.
    named: (text) =>
      [...names]
        .toSorted(([one], [other]) => other.length - one.length)
        .reduce((rest, [id, name]) => rest.replaceAll(id, name), text),
  };
}

type Give = (id: string, name: string) => void;

function nameScript({ clients, offRamps }: Script, give: Give): void {
  for (const { name, clientId, users, webhooks } of clients) {
    give(clientId, name);
    for (const [user, { userId, wallets }] of users.entries()) {
      const ofUser = `user ${user + 1} of ${name}`;
      give(userId, ofUser);
      for (const [wallet, { walletId, address }] of wallets.entries()) {
        give(walletId, `wallet ${wallet + 1} of ${ofUser}`);
        give(address, `address of wallet ${wallet + 1} of ${ofUser}`);
      }
    }
    for (const [webhook, { url }] of webhooks.entries()) give(url, `webhook ${webhook + 1} of ${name}`);
  }
  const hashes = offRamps.flatMap(({ payments }) => payments.map(({ txHash }) => txHash));
  for (const [number, txHash] of hashes.entries()) give(txHash, `hash ${letterOf(number)}`);
  const submitted = offRamps.flatMap(({ submissions }) => submissions.map(({ txHash }) => txHash));
  const unpaid = submitted.filter((txHash) => txHash.length > 20 && !hashes.some((hash) => isSpellingOf(hash, txHash)));
  for (const [number, txHash] of unpaid.entries()) give(txHash, `hash of nobody ${letterOf(number)}`);
}

function letterOf(number: number): string {
  const letter = String.fromCharCode('a'.charCodeAt(0) + (number % 26));
  return number < 26 ? letter : `${letter}${Math.floor(number / 26)}`;
}

function isSpellingOf(txHash: string, other: string): boolean {
  return other.trim().toLowerCase().includes(txHash.toLowerCase());
}
