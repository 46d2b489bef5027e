import { join } from 'node:path';
import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { bundleFunctions } from './bundle/bundle-functions.ts';
import { ServiceStack } from './service-stack.ts';
import { stageNamed } from './stages.ts';

const app = new App();
const windowSeconds: unknown = app.node.tryGetContext('window');
const stage = stageNamed(app.node.tryGetContext('stage'), {
  ...(process.env['AWS_ENDPOINT_URL'] !== undefined && { endpoint: process.env['AWS_ENDPOINT_URL'] }),
  ...(windowSeconds !== undefined && { windowSeconds: Number(windowSeconds) }),
});

new ServiceStack(app, `payin-offramp-${stage.name}`, {
  stage,
  bundles: await bundleFunctions(join(app.outdir, 'functions')),
});
Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
