/** One off-ramp from its token to COMPLETED, by the client that openapi-generator makes for typescript-fetch. */
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { AccessApi, Configuration, OffRampsApi, ResponseError, SandboxApi } from './client/index';

const AMOUNT = '250.5';

function given(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set.`);
  return value;
}

/** What is read once it holds; a minute is enough for every step. */
async function eventually<T>(read: () => Promise<T>, holds: (answer: T) => boolean): Promise<T> {
  const givesUpAt = Date.now() + 60_000;
  for (;;) {
    const answer = await read();
    if (holds(answer)) return answer;
    if (Date.now() > givesUpAt) throw new Error(`This is still so after a minute: ${JSON.stringify(answer)}`);
    await sleep(500);
  }
}

async function codeOf(call: Promise<unknown>): Promise<unknown> {
  try {
    await call;
    return undefined;
  } catch (error) {
    if (!(error instanceof ResponseError)) throw error;
    return (await error.response.json()).code;
  }
}

async function main(): Promise<void> {
  const basePath = given('BASE_URL');
  const anyone = new AccessApi(new Configuration({ basePath }));
  const credentials = { clientId: given('CLIENT_ID'), clientSecret: given('CLIENT_SECRET') };
  const { accessToken } = await anyone.issueToken({ tokenRequest: credentials });
  const configuration = new Configuration({ basePath, accessToken });
  const [offRamps, sandbox] = [new OffRampsApi(configuration), new SandboxApi(configuration)];
  const userId = given('USER_ID');

  const code = await codeOf(offRamps.getOperation({ userId, operationId: randomUUID() }));
  if (code !== 'OFF_RAMP_NOT_FOUND') throw new Error(`An unknown off-ramp was answered with ${code}.`);

  const { operation } = await offRamps.createWithdrawal({
    userId,
    idempotencyKey: randomUUID(),
    createWithdrawalRequest: {
      originExternalWalletId: given('WALLET_ID'),
      supportedTokenId: Number(given('TOKEN_ID')),
      amount: AMOUNT,
    },
  });
  const { id: operationId, network, address, token, amount } = operation;
  const txHash = `0x${randomBytes(32).toString('hex')}`;
  const deposit = { network, txHash, fromAddress: given('WALLET_ADDRESS'), toAddress: address, token, amount };
  await sandbox.simulateDeposit({ simulateDepositRequest: { ...deposit, state: 'CONFIRMED' } });
  await offRamps.submitOfframpHash({ userId, operationId, submitHashRequest: { txHash } });

  await eventually(
    () => offRamps.getOfframpHash({ userId, operationId }),
    ({ status }) => status === 'VERIFIED',
  );
  const ended = await eventually(
    () => offRamps.getOperation({ userId, operationId }),
    (answer) => answer.operation.status === 'COMPLETED',
  );
  process.stdout.write(`${ended.operation.status}\n`);
}

void main();
