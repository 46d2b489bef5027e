import { withChecksum } from '#shared/networks/address-checksum.ts';
import type { Network } from '#shared/networks/network.ts';
import {
  type CallFireblocks,
  createAskFireblocks,
  createCallFireblocks,
} from '#shared/off-ramps/custodians/fireblocks/fireblocks-client.ts';
import { createFireblocksCustodian } from '#shared/off-ramps/custodians/fireblocks/fireblocks-custodian.ts';
import { fireblocksSender } from '#shared/off-ramps/custodians/fireblocks/fireblocks-sender.ts';
import type { FireblocksSetting } from '#shared/off-ramps/custodians/fireblocks/fireblocks-settings.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { createProviderLimits } from '#shared/platform/dynamodb/provider-limits.ts';
import type { Role } from '#test/doubles/fireblocks/answer.ts';
import { createFireblocksDouble, type FireblocksDouble } from '#test/doubles/fireblocks/double.ts';
import { SENDER_ADDRESS } from '#test/support/off-ramp.ts';
import { tablesInMemory } from '#test/support/tables-in-memory.ts';
import type { CustodianFixture, Payment } from './custodian-fixture.ts';
import { testUser } from './fireblocks-user.ts';

/** Calls that the double answers in this process, to a user with this role. */
export function callOfDouble({ answer }: Pick<FireblocksDouble, 'answer'>, role: Role = 'Viewer'): CallFireblocks {
  return async (request) => {
    const { body: text, ...rest } = answer({ apiKey: role, role }, request);
    return { ...rest, text };
  };
}

interface Over {
  readonly call: CallFireblocks;
  readonly clock: Clock;
  readonly networks: FireblocksSetting['networks'];
  readonly callsPerMinute?: number;
}

/** The adapter as a function makes it, on tables in memory. */
export function fireblocksOver({ call, clock, networks, callsPerMinute = 300 }: Over) {
  const { dynamo } = tablesInMemory();
  const limits = createProviderLimits({ dynamo, table: 'providerLimits', clock }, 'fireblocks#reader');
  const ask = createAskFireblocks({ call, limits, clock });
  const fireblocks = { networks, callsPerMinute, unknownHashesPercent: 50 };
  return {
    name: 'fireblocks',
    ...createFireblocksCustodian({ fireblocks, limits, ask }),
    ...fireblocksSender({ fireblocks, ask }),
  };
}

/** Tokens with all numbers of decimals, on a network without tags and on one with tags. */
const tokens = Array.from({ length: 19 }, (_, decimals) =>
  (['ETHEREUM', 'STELLAR'] as const).map((network) => ({ network, decimals, ...named(network, decimals) })),
).flat();

function named(network: Network, decimals: number) {
  const symbol = `T${decimals}`;
  return { symbol, legacyId: `${symbol}_${network}`, contract: symbol };
}

const assetsOf = (network: Network) => tokens.filter((one) => one.network === network).map(({ legacyId }) => legacyId);

const networks = {
  ETHEREUM: { baseAsset: 'ETH', assets: assetsOf('ETHEREUM') },
  STELLAR: { baseAsset: 'XLM', assets: assetsOf('STELLAR') },
};

const statuses = {
  UNCONFIRMED: { status: 'CONFIRMING' },
  CONFIRMED: { status: 'COMPLETED', screening: 'COMPLETED' },
  FAILED: { status: 'FAILED', subStatus: 'SMART_CONTRACT_EXECUTION_FAILED' },
  HELD: { status: 'REJECTED', subStatus: 'AUTO_FREEZE' },
} as const;

const endings = {
  COMPLETED: { status: 'COMPLETED' },
  FAILED: { status: 'BLOCKED', subStatus: 'BLOCKED_BY_POLICY' },
  FAILED_WITH_HASH: { status: 'FAILED', subStatus: 'DROPPED_BY_BLOCKCHAIN' },
} as const;

/** Fireblocks, played by its double. */
export const fireblocksFixture: CustodianFixture = {
  name: 'fireblocks',
  cannot: { GONE: 'it reports FAILED when the chain took a transaction back' },
  start: async (clock) => {
    const double = createFireblocksDouble({ clock, extraAssets: tokens });
    const honest = callOfDouble(double);
    const of = (call: CallFireblocks) => fireblocksOver({ call, clock, networks });
    const ours = [
      withChecksum('ETHEREUM', `0x${'a1'.repeat(20)}`),
      withChecksum('ETHEREUM', `0x${'a2'.repeat(20)}`),
    ] as const;
    const pay = async ({ to, amount, decimals, state, tag }: Payment) => {
      if (state === 'GONE') throw new Error('Fireblocks has no such state.');
      const network = tag === undefined ? 'ETHEREUM' : 'STELLAR';
      const { legacyId: assetId } = named(network, decimals);
      const about = { assetId, amount, from: SENDER_ADDRESS, ...(tag !== undefined && { tag }) };
      const [first, ...others] = to.map((one) => ({ ...about, to: one }));
      if (first === undefined) throw new Error('A payment needs a receiver.');
      const shape = others.length > 0 ? 'NETWORK_RECORDS' : 'RECORDS';
      const [record] = double.deposit({ network, movements: [first, ...others], shape, ...statuses[state] });
      return { network, txHash: record?.txHash ?? '', assetId } as const;
    };
    const at = (url: string) =>
      of(createCallFireblocks({ user: { use: (ask) => ask(testUser) }, server: { url }, clock }));
    const signer = () => of(callOfDouble(double, 'Signer'));
    const kind = 'POST /v1/transactions';
    return {
      sending: {
        sender: signer,
        at,
        losing: async () => {
          double.fail({ kind, what: '500', isCarriedOut: true });
          return signer();
        },
        order: (externalId) => {
          const to = { address: SENDER_ADDRESS };
          return { externalId, network: 'ETHEREUM', assetId: 'T6_ETHEREUM', amount: '1.5', from: '0', to };
        },
        end: async (externalId, ending) => {
          if (ending === 'REFUSED') double.fail({ kind, what: '400' });
          const id = double.orderOf(externalId);
          if (ending !== 'REFUSED' && id !== undefined) double.change(id, endings[ending]);
        },
        books: signer,
      },
      ours,
      pay,
      adapter: () => of(honest),
      at,
      changed: async (change) =>
        of(async (request) => {
          const answer = await honest(request);
          return { ...answer, text: JSON.stringify(change(JSON.parse(answer.text))) };
        }),
      fill: async () => {
        const hashes: string[] = [];
        for (const seconds of [...Array<number>(1100).fill(1), 3 * 24 * 3600]) {
          clock.advance(seconds);
          hashes.push((await pay({ to: [ours[0]], amount: '1', decimals: 6, state: 'UNCONFIRMED' })).txHash);
        }
        return hashes;
      },
    };
  },
};
