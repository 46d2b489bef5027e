import { afterEach, expect, test, vi } from 'vitest';
import { explainPip } from '#infra/local/pip-failure.ts';

const retry = (cause: string) =>
  `WARNING: Retrying (Retry(total=1, connect=None, read=None, redirect=None, status=None)) after connection broken by '${cause}': /simple/botocore/\n`;
const noVersion = `ERROR: Could not find a version that satisfies the requirement botocore==1.43.106 (from versions: none)
ERROR: No matching distribution found for botocore==1.43.106`;
const refused =
  "NewConnectionError('<pip._vendor.urllib3.connection.HTTPSConnection object at 0x7f529f69c590>: Failed to establish a new connection: [Errno 111] Connection refused')";

afterEach(() => vi.unstubAllEnvs());

test('a connection that does not come about is told once, with what can be set', () => {
  vi.stubEnv('PIP_INDEX_URL', undefined);
  expect(explainPip(`${retry(refused)}${retry(refused)}${noVersion}`)).toBe(`No connection to the Python package index:
  NewConnectionError('Failed to establish a new connection: [Errno 111] Connection refused')

If this machine gets its Python packages
  - from a mirror: PIP_INDEX_URL=https://… npm start;
  - through a proxy: HTTPS_PROXY=http://… npm start;
  - by a certificate authority of its own: PIP_CERT=/path/of/its.pem npm start.`);
});

test('a proxy is told as such', () => {
  expect(explainPip(`${retry(`ProxyError('Cannot connect to proxy.', ${refused})`)}${noVersion}`)).toContain(
    "ProxyError('Cannot connect to proxy.', NewConnectionError('Failed to",
  );
});

test('the index that is configured is named without its credentials', () => {
  vi.stubEnv('PIP_INDEX_URL', 'https://someone:secret@mirror.example.com/simple');
  expect(explainPip(noVersion)).toContain(
    `${noVersion}\n\nIt was looked for at the index of PIP_INDEX_URL, https://mirror.example.com/simple.\n`,
  );
  expect(explainPip(retry(refused))).toContain(
    'No connection to the index of PIP_INDEX_URL, https://mirror.example.com/simple:',
  );
});

test('a file with another digest is not called a lost connection', () => {
  const said = explainPip('ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE.');
  expect(said).toContain('is not what this project was made with');
  expect(said).not.toContain('HTTPS_PROXY');
});
