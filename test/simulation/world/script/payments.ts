import { Big } from 'big.js';
import { formatAddress, networkSpecs, networks } from '#shared/networks/network.ts';
import { courses, writePhases } from '#test/simulation/world/chain/phases.ts';
import { newTransactionHash, randomBytes } from '#test/simulation/world/chain/transaction-hash.ts';
import { assetsOn, minimumDeposits } from './assets.ts';
import type { OffRampContext } from './off-ramps.ts';
import type { AssetScript, OffRampScript, PaymentScript, TransferScript, WalletScript } from './script.ts';

/** The expected payment, and its wallet. */
interface Asked {
  readonly number: number;
  readonly userId: string;
  readonly wallet: WalletScript;
  readonly asset: AssetScript;
  readonly amount: string;
  /** Off-ramps before this one. */
  readonly earlier: readonly OffRampScript[];
}

/** The most decimals that any token has. */
const MOST_DECIMALS = 18;

/** Adds `by` units of the last of so many decimals. */
function lastDigit(amount: string, decimals: number, by: number): string {
  return new Big(amount).plus(new Big(10).pow(-decimals).times(by)).toFixed();
}

/** Writes what a user sends once the address is known: mostly the expected payment. */
export function writePayments(context: OffRampContext, asked: Asked): readonly PaymentScript[] {
  const { random, swarm } = context;
  const habits = swarm.users;
  if (random.chance(habits.never)) return [];
  if (random.chance(habits.forPeople)) return [writePayment(context, asked, [forPeople(context, asked)])];
  // A user who has paid wrongly pays once more, or leaves it to people.
  const wrong = random.chance(habits.wrong) ? [writeWrongPayment(context, asked)] : [];
  if (wrong.length > 0 && random.chance(habits.onlyWrong)) return wrong;
  // The same amount, written with trailing zeros.
  const due =
    random.chance(habits.moreDigits) && asked.asset.decimals < MOST_DECIMALS ? { amount: `${asked.amount}00` } : {};
  const right = random.chance(habits.twoAtOnce)
    ? writePayment(context, asked, [due, second(context, asked, due)])
    : writePayment(context, asked, [due]);
  const again = random.chance(habits.twice) ? [writePayment(context, asked, [due])] : [];
  const own = random.chance(habits.ofCustodian) ? [writePayment(context, asked, [ofCustodian(context, asked)])] : [];
  const crowd = random.chance(habits.crowd) ? [writeCrowd(context, asked)] : [];
  return [...wrong, right, ...again, ...own, ...crowd];
}

/** The custodian's own movement, gas or a sweep: any amount, from one of its vaults. */
function ofCustodian({ random }: OffRampContext, { wallet: { network }, amount }: Asked): TransferScript {
  const fromAddress = formatAddress(network, randomBytes(32, random));
  return { isFromCustodian: true, fromAddress, amount: random.pick([amount, '0.01']) };
}

/** So many transfers that a list may need several pages. Misread, they would be more records at once than a page has. */
function writeCrowd(context: OffRampContext, asked: Asked): PaymentScript {
  const { network } = asked.wallet;
  const one = { amount: `${asked.amount}1` };
  const payment = writePayment(context, asked, [one, ...Array.from({ length: 29 }, () => one)]);
  return { ...payment, phases: writePhases('USUAL', network, context.random) };
}

function writePayment(
  { random, swarm, moment }: OffRampContext,
  { wallet: { network } }: Asked,
  transfers: PaymentScript['transfers'],
): PaymentScript {
  const unusual = () => (random.chance(0.05) ? 'LATE' : random.pick(courses));
  const course = random.chance(swarm.users.unusual) ? unusual() : 'USUAL';
  return {
    after: 5000 + moment(),
    txHash: newTransactionHash(network, random),
    network,
    phases: writePhases(course, network, random),
    transfers,
  };
}

/** A wrong payment. The address is also valid on other networks of the same family. */
function writeWrongPayment(context: OffRampContext, asked: Asked): PaymentScript {
  const { random } = context;
  const { network } = asked.wallet;
  const { family } = networkSpecs[network];
  const others = networks.filter((other) => other !== network && networkSpecs[other].family === family);
  const elsewhere = random.chance(0.8) ? network : random.pick([network, ...others]);
  const [asset] = assetsOn(elsewhere);
  if (elsewhere === network || asset === undefined) return writePayment(context, asked, [mistake(context, asked)]);
  const wallet = { ...asked.wallet, network: elsewhere };
  return writePayment(context, { ...asked, wallet }, [
    random.chance(0.5) ? { assetId: asset.custodianAssetId } : mistake(context, asked),
  ]);
}

/** The second transfer of a transaction: the same again, a wrong one, or the expected payment of another off-ramp. */
function second(context: OffRampContext, asked: Asked, due: TransferScript): TransferScript {
  const { random } = context;
  const others = asked.earlier.filter(({ wallet }) => wallet.network === asked.wallet.network);
  const together = others.map(({ name, amount, asset, wallet }) => ({
    to: name,
    amount,
    assetId: asset.custodianAssetId,
    fromAddress: wallet.address,
  }));
  return random.pick<TransferScript>([due, mistake(context, asked), ...together.slice(-1)]);
}

/** The expected amount from an undeclared wallet, or to an earlier address of the user: no report credits it. */
function forPeople({ random }: OffRampContext, { userId, wallet, earlier }: Asked): TransferScript {
  const own = earlier.findLast((one) => one.userId === userId && one.wallet.network === wallet.network);
  const fromAddress = formatAddress(wallet.network, randomBytes(32, random));
  return random.pick<TransferScript>([{ fromAddress }, ...(own === undefined ? [] : [{ to: own.name }])]);
}

/** A transfer with a mistake, often a tiny one. */
function mistake({ random }: OffRampContext, { number, wallet, asset, amount }: Asked): TransferScript {
  const { network } = wallet;
  const { hasTags } = networkSpecs[network].family;
  if (hasTags && random.chance(0.4))
    return random.pick<TransferScript>([{ to: `off-ramp ${number}` }, { isWithoutTag: true }]);
  const minimum = minimumDeposits[asset.custodianAssetId] ?? '1';
  const last = random.pick([1, -1]);
  return random.pick<TransferScript>([
    { amount: minimum },
    { amount: lastDigit(minimum, asset.decimals, -1) },
    { amount: lastDigit(amount, asset.decimals, last) },
    { amount: lastDigit(amount, MOST_DECIMALS, last) },
    { assetId: `${network}:USDC.e` },
    { fromAddress: formatAddress(network, randomBytes(32, random)) },
    // The previous off-ramp, if it is on the same network.
    { to: `off-ramp ${number}` },
    { isWithoutTag: true },
  ]);
}
