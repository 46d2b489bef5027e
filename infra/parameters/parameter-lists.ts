import { CustomResource, Duration, FileSystem } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import { type FunctionContext, ServiceFunction } from '#infra/platform/service-function.ts';
import type { Stage } from '#infra/stage/stages.ts';
import { bankRailOf } from '#shared/pay-ins/payment-methods.ts';
import { readParameterLists } from './read-parameter-lists.ts';

const FOLDER = 'parameters/load-parameters';

/** Bytes: a Lambda gets the old lists and the new ones in one event of at most 256 KB. */
const MOST_BYTES = 100_000;

/** The lists of banks and tokens. A deployment loads them when the files or the loader have changed. */
export class ParameterLists extends Construct {
  constructor(scope: Construct, id: string, context: FunctionContext) {
    super(scope, id);
    const { stage, bundles } = context;
    const { parameters } = stage.settings.restored?.tables ?? {};
    const loadParameters = new ServiceFunction(this, context, {
      folder: FOLDER,
      tables: { parameters: ['Query', 'UpdateItem', 'DeleteItem'] },
      memoryMegabytes: 512,
      timeoutSeconds: 28,
      impact: 'Clients see the previous banks and tokens: a deployment could not load its files.',
    });
    // Lambda would retry long after CloudFormation has given up, and load lists that have been replaced.
    loadParameters.lambda.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: Duration.minutes(1) });
    new CustomResource(this, 'Loaded', {
      resourceType: 'Custom::ParameterLists',
      serviceToken: loadParameters.lambda.functionArn,
      serviceTimeout: Duration.minutes(2),
      properties: {
        Lists: listsOf(stage),
        Loader: FileSystem.fingerprint(bundles.get(FOLDER)?.directory ?? ''),
        // A restored table may have older lists than those of the last deployment.
        ...(parameters !== undefined && { Table: parameters }),
      },
    });
  }
}

/**
 * The lists as one text, because CloudFormation makes texts of nested numbers and booleans. The text is ASCII, because
 * CloudFormation returns other characters as question marks, and every diff would show a change.
 */
function listsOf({ name, settings, rails }: Stage): string {
  const seedsBanks = bankRailOf(rails)?.members.listBanks !== undefined;
  const files = readParameterLists(name, settings);
  const lists = JSON.stringify({ ...files, ...(seedsBanks && { seedsBanks }) }).replace(
    /[^ -~]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  const bytes = Buffer.byteLength(lists);
  if (bytes > MOST_BYTES) {
    throw new Error(
      `infra/parameters/${name}: the lists have ${bytes} bytes; ${MOST_BYTES} are allowed. Make the logos smaller.`,
    );
  }
  return lists;
}
