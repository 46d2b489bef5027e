import { join } from 'node:path';
import { Annotations, App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { bundleFunctions } from './bundle/bundle-functions.ts';
import { RELEASE_AT_ONCE } from './platform/live-alias.ts';
import { createStacks } from './stacks/create-stacks.ts';
import { remainingExamples } from './stage/read-settings.ts';
import { stageNamed } from './stage/stages.ts';

const app = new App();
const windowSeconds: unknown = app.node.tryGetContext('window');
const providers: unknown = app.node.tryGetContext('providers');
const docsUrl: unknown = app.node.tryGetContext('docs');
const restored: unknown = app.node.tryGetContext('restored');
const stage = stageNamed(app.node.tryGetContext('stage'), {
  ...(process.env['AWS_ENDPOINT_URL'] !== undefined && { endpoint: process.env['AWS_ENDPOINT_URL'] }),
  ...(windowSeconds !== undefined && { windowSeconds: Number(windowSeconds) }),
  ...(providers !== undefined && { providers: String(providers) }),
  ...(docsUrl !== undefined && { docsUrl: String(docsUrl) }),
  ...(restored !== undefined && { restored: String(restored) }),
});

const release: unknown = app.node.tryGetContext('release');
if (release !== undefined && release !== RELEASE_AT_ONCE) throw new Error('The only value of -c release is at-once.');
const { service } = createStacks(app, stage, await bundleFunctions(join(app.outdir, 'functions')));
const examples = remainingExamples(stage.settings);
if (examples.length > 0) {
  // No warning: npm run deploy refuses examples (preflight), and readers of the template alone know that they are
  // examples.
  Annotations.of(service).addInfoV2(
    'payin-offramp:example-settings',
    `This template has no real account: put your settings into infra/settings/${stage.name}.json. It still has examples, which cannot be deployed:\n${examples.join('\n')}`,
  );
}
const account = process.env['CDK_DEFAULT_ACCOUNT'];
if (stage.settings.environment === undefined && stage.name !== 'local' && account !== undefined) {
  Annotations.of(service).addWarningV2(
    'payin-offramp:any-account',
    `This deploys to the account of your credentials: account ${account}, region ${process.env['CDK_DEFAULT_REGION']}. Set it as environment in infra/settings/${stage.name}.json, and any other is refused.`,
  );
}
Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
