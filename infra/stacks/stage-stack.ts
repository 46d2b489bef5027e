import { CliCredentialsStackSynthesizer, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { tagEverything } from '#infra/platform/tags.ts';
import type { Stage } from '#infra/stage/stages.ts';

interface StageStackProps {
  readonly stage: Stage;
  readonly description: string;
  /** Whether CloudFormation refuses to delete the stack. */
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
      // CloudFormation takes a megabyte, and more than a third of a template would be spaces.
      suppressTemplateIndentation: true,
      ...(environment && { env: environment }),
      // The local AWS knows no roles of a bootstrapped account that the CLI could take on.
      ...(stage.name === 'local' && { synthesizer: new CliCredentialsStackSynthesizer() }),
    });
    tagEverything(this, stage);
  }
}
