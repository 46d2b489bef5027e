import { localAwsAt, newCredentials } from '#infra/local/local-aws.ts';
import { serviceAt } from '#infra/operators/cli/find-service.ts';

const URL = 'https://operators.example/local';

/** An operators' API at which nobody answers: for tests that put their own `fetch` in its place. */
export const serviceNowhere = serviceAt(URL, 'the test', localAwsAt(URL, newCredentials()));
