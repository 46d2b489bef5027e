import { serviceAt } from '#infra/cli/find-service.ts';
import { localAwsAt, newCredentials } from '#infra/cli/local-aws.ts';

const URL = 'https://operators.example/local';

/** An operators' API without a server, for tests that put their own `fetch` in its place. */
export const serviceNowhere = serviceAt(URL, 'the test', localAwsAt(URL, newCredentials()));
