import type { EffectLookup } from '#infra/platform/operator-route.ts';
import type { CommandContext } from './command-context.ts';
import { OpsError } from './ops-error.ts';
import { ask, type Service } from './service.ts';

/** Milliseconds in which a change has to take effect. */
const PATIENCE = 10_000;
const PAUSE = 500;

/**
 * Waits until a change that goes through a queue has taken effect: the operator relies on the answer.
 *
 * @throws {OpsError} when it has not taken effect, or that is unknown
 */
export async function waitForEffect(
  service: Service,
  { contract, query, assess }: EffectLookup,
  { body, auditId }: { readonly body: unknown; readonly auditId: string | undefined },
  { clock }: Pick<CommandContext, 'clock'>,
): Promise<string> {
  const inAudit = auditId === undefined ? '' : ` Audit id: ${auditId}.`;
  const until = clock.now().getTime() + PATIENCE;
  for (;;) {
    const read = await ask(service, contract, { query: query(body) }).catch((error: unknown) => {
      const why = error instanceof OpsError ? error.message : String(error);
      throw new OpsError('failed', `It was requested, but it is unknown whether it has taken effect: ${why}${inAudit}`);
    });
    const { says, isInForce } = assess(body, read.body);
    if (isInForce) return says;
    if (clock.now().getTime() >= until) {
      throw new OpsError('refused', `It has NOT taken effect after ten seconds: ${says}.${inAudit}`, {
        code: 'NOT_IN_FORCE',
      });
    }
    await clock.sleep(PAUSE);
  }
}
