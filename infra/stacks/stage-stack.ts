import { CliCredentialsStackSynthesizer, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { tagEverything } from '#infra/platform/tags.ts';
import type { Stage } from '#infra/stage/stages.ts';

interface StageStackProps {
  readonly stage: Stage;
  readonly description: string;
  /** True if CloudFormation refuses to delete the stack. */
  readonly terminationProtection?: boolean;
}

/** A stack of a stage, in its account and with its tags. */
export abstract class StageStack extends Stack {
  constructor(scope: Construct, id: string, { stage, description, terminationProtection = false }: StageStackProps) {
    const { environment } = stage.settings;
    // @ts-expect-error the CDK's synthesizers do not fit its own interface under exactOptionalPropertyTypes
    super(scope, id, {
      description,
      terminationProtection,
      // CloudFormation takes a template of at most a megabyte, and more than a third of this one would be spaces.
      suppressTemplateIndentation: true,
      ...(environment && { env: environment }),
      // The local AWS has no roles of a bootstrapped account that the CLI could assume.
      ...(stage.name === 'local' && { synthesizer: new CliCredentialsStackSynthesizer() }),
    });
    tagEverything(this, stage);
  }
}
