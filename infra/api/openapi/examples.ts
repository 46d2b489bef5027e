import { accessExamples } from '#infra/clients/client-examples.ts';
import { offRampExamples } from '#infra/off-ramps/off-ramp-examples.ts';
import { parameterExamples } from '#infra/parameters/parameter-examples.ts';
import { payinExamples } from '#infra/pay-ins/payin-examples.ts';
import { webhookExamples } from '#infra/webhooks/webhook-examples.ts';
import { sandboxExamples } from './sandbox-examples.ts';

interface Example {
  /** Body of a request; absent where there is none. */
  readonly request?: unknown;
  /** Body of the success, where it has one. */
  readonly answer?: unknown;
  /** What a developer has to know that neither the summary nor the schemas say. */
  readonly remark?: string;
}

export type Examples = Readonly<Record<string, Example>>;

/** One call of every route for clients, by the name of its contract. */
export const examples: Examples = {
  ...accessExamples,
  ...payinExamples,
  ...offRampExamples,
  ...parameterExamples,
  ...webhookExamples,
  ...sandboxExamples,
};
