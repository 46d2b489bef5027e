import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';

const flags = z.record(z.string(), z.unknown());
const { context } = z
  .object({ context: flags })
  .parse(JSON.parse(readFileSync(new URL('../../../cdk.json', import.meta.url), 'utf8')));
const recommended = flags.parse(createRequire(import.meta.url)('aws-cdk-lib/recommended-feature-flags.json'));

// On a deployed stage, a flag of a new CDK may replace resources that hold data: decide by a diff of the template.
test('every feature flag of the CDK has the value that the CDK recommends for new projects', () => {
  expect(Object.keys(recommended)).toContain('@aws-cdk/aws-apigateway:authorizerChangeDeploymentLogicalId');
  expect(context).toEqual(recommended);
});
