import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { localAwsAt, newCredentials } from '#infra/cli/local-aws.ts';
import { DeploymentFailed, startDeployer } from '#infra/local/deploy.ts';
import { listenLocally } from '#test/support/webhook-receiver.ts';

const IDENTITY =
  '<GetCallerIdentityResponse><GetCallerIdentityResult><Arn>arn:aws:iam::000000000000:root</Arn><UserId>000000000000</UserId><Account>000000000000</Account></GetCallerIdentityResult></GetCallerIdentityResponse>';

/** A deployer whose AWS is this server. */
async function deployerAt(listener: RequestListener) {
  const server = createServer(listener);
  const endpoint = `http://127.0.0.1:${await listenLocally(server)}`;
  const deployer = startDeployer(localAwsAt(endpoint, newCredentials()), '/nowhere/cdk');
  onTestFinished(async () => {
    await deployer.stop();
    server.closeAllConnections();
    server.close();
  });
  return { server, deployer };
}

test('a bootstrap that AWS refuses says why', { timeout: 60_000 }, async () => {
  const denied =
    '<ErrorResponse><Error><Code>AccessDenied</Code><Message>Not for you</Message></Error></ErrorResponse>';
  const { deployer } = await deployerAt(async (request, response) => {
    const asked = await text(request);
    // The toolkit looks up the account of the credentials, unless it has cached that in an earlier run on this machine.
    if (asked.includes('Action=GetCallerIdentity')) response.end(IDENTITY);
    else response.writeHead(403).end(denied);
  });
  const refused = deployer.bootstrap(() => undefined, new AbortController().signal);
  await expect(refused).rejects.toThrow(DeploymentFailed);
  await expect(refused).rejects.toThrow('Not for you');
});

test('a bootstrap that never ends can be stopped', { timeout: 60_000 }, async () => {
  const { server, deployer } = await deployerAt(() => undefined);
  const asked = once(server, 'request');
  const stopped = new AbortController();
  const bootstrapping = deployer.bootstrap(() => undefined, stopped.signal);
  await Promise.race([asked, bootstrapping]);
  stopped.abort();
  await expect(bootstrapping).rejects.toThrow('aborted');
  await deployer.stop();
});
