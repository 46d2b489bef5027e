import * as z from 'zod/mini';
import type { HttpAnswer } from '#test/simulation/aws/gateway.ts';
import type { KnownOffRamp } from '#test/simulation/world/memory.ts';
import type { Outside } from '#test/simulation/world/outside.ts';
import type { ReturnScript } from '#test/simulation/world/script/finance-script.ts';
import { codeOf, type Session } from './session.ts';

const listed = z.object({
  deposits: z.array(
    z.object({
      id: z.string(),
      sequence: z.int(),
      returnable: z.boolean(),
      fromAddress: z.string(),
    }),
  ),
});

type Listed = z.infer<typeof listed>['deposits'][number];

/** Milliseconds after which every read sees what was written before. */
const SETTLED = 20_000;

/** A client lists its deposits, and asks for the return of the returnable ones. */
export async function askBack(
  { host }: Outside,
  session: Session,
  { script }: KnownOffRamp,
  path: string,
  { isWrong, isTwice }: ReturnScript,
): Promise<void> {
  const read = async (): Promise<readonly Listed[]> => {
    const answer = await session.persist({ method: 'GET', path: `${path}/deposits` });
    return answer?.status === 200 ? listed.parse(JSON.parse(answer.body)).deposits : [];
  };
  const ask = (id: string, body: object) =>
    session.persist({ method: 'POST', path: `${path}/deposits/${id}/return`, body });

  for (const deposit of await read()) {
    // A client that does not look (`isWrong`) asks for the return of deposits that are not returnable.
    if (!deposit.returnable && !isWrong) continue;
    if (isWrong) await ask(deposit.id, { confirmAddress: script.wallet.address });
    const body = { confirmAddress: deposit.fromAddress };
    if (isTwice) host.schedule.start('asks back twice', async () => void (await ask(deposit.id, body)));
    const answer = await ask(deposit.id, body);
    if (deposit.returnable && isNotReturnable(answer)) await tryAgain(deposit, body);
  }

  /** Retries once: a deposit that was read as returnable, and has not changed since, must be returned. */
  async function tryAgain({ id, sequence }: Listed, body: object): Promise<void> {
    await host.schedule.clock.sleep(SETTLED);
    const again = (await read()).find((one) => one.id === id);
    if (again?.returnable !== true || again.sequence !== sequence) return;
    const answer = await ask(id, body);
    if (isNotReturnable(answer))
      host.schedule.fail(new Error(`${id} is returnable, and is not returned: ${answer?.body}`));
  }
}

const isNotReturnable = (answer: HttpAnswer | undefined) =>
  answer !== undefined && codeOf(answer) === 'DEPOSIT_NOT_RETURNABLE';
