import { accessExamples } from './examples/access.ts';
import { offRampExamples } from './examples/off-ramps.ts';
import { parameterExamples } from './examples/parameters.ts';
import { payinExamples } from './examples/payins.ts';
import { sandboxExamples } from './examples/sandbox.ts';
import { webhookExamples } from './examples/webhooks.ts';

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
