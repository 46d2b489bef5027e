import { describe, expect, test } from 'vitest';
import { BlockedUrl, isPublicAddress, parseWebhookTarget } from '#shared/webhooks/http-client/ssrf-guard.ts';

/** The result of a URL: the address that is called, or the reason why the URL is refused. */
function outcome(text: string, allowsThisMachine = false): string {
  try {
    return parseWebhookTarget(text, { allowsThisMachine }).url.href;
  } catch (error) {
    if (error instanceof BlockedUrl) return error.fault;
    throw error;
  }
}

const host = (name: string) => outcome(`https://${name}/hook`);

describe('decisions 7, where a webhook may point: https', () => {
  test.each([
    ['https://example.com', 'https://example.com/'],
    ['https://example.com/hooks?tenant=7&at=x@y', 'https://example.com/hooks?tenant=7&at=x@y'],
    ['https://example.com:443/', 'https://example.com/'],
    ['https://example.com:8443/hooks', 'https://example.com:8443/hooks'],
    ['HTTPS://EXAMPLE.com/Hooks', 'https://example.com/Hooks'],
    ['https://bücher.example/ö', 'https://xn--bcher-kva.example/%C3%B6'],
    ['https://8.8.8.8/hook', 'https://8.8.8.8/hook'],
    ['https://[2606:4700:4700::1111]/hook', 'https://[2606:4700:4700::1111]/hook'],
  ])('%s is accepted', (url, called) => {
    expect(outcome(url)).toBe(called);
  });

  test.each([
    'http://example.com/',
    'https://example.com:22/',
    'https://user:secret@example.com/',
    'https://@example.com/',
    'https://example.com/#part',
    'https://example.com/#',
  ])('%s is not allowed', (url) => {
    expect(outcome(url)).toBe('NOT_ALLOWED');
  });

  test.each([
    'example.com',
    'https://example.com\\@127.0.0.1/',
    'ftp://example.com/',
    'https://exa%00mple.com/',
    'https://[fe80::1%25eth0]/',
    'https://256.256.256.256/',
  ])('%j is no absolute https URL', (url) => {
    expect(outcome(url)).toBe('INVALID_FORMAT');
  });

  test('it may have 2,048 characters, counted as written and as called', () => {
    const path = (length: number) => `https://example.com/${'a'.repeat(length - 20)}`;
    expect(outcome(path(2048))).toBe(path(2048));
    expect(outcome(path(2049))).toBe('OUT_OF_RANGE');
    expect(outcome(`https://example.com/${'ö'.repeat(400)}`)).toBe('OUT_OF_RANGE');
  });

  test('an address is known without asking DNS, a name is not', () => {
    const addresses = (url: string) => parseWebhookTarget(url, { allowsThisMachine: false }).addresses;
    expect(addresses('https://8.8.8.8/')).toEqual(['8.8.8.8']);
    expect(addresses('https://[2606:4700:4700::1111]/')).toEqual(['2606:4700:4700::1111']);
    expect(addresses('https://example.com/')).toBeUndefined();
  });
});

describe('decisions 7, where a webhook may point: not inside', () => {
  test.each([
    '127.0.0.1',
    '0.0.0.0',
    '10.0.0.1',
    '172.31.255.255',
    '192.168.0.1',
    '169.254.169.254',
    '100.64.0.1',
    '192.0.0.1',
    '192.0.2.1',
    '192.88.99.1',
    '198.18.0.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
  ])('https://%s/ is an address that is not public', (address) => {
    expect(host(address)).toBe('HOST_NOT_PUBLIC');
  });

  test.each([
    '127.1',
    '127.0.0.1.',
    '0x7f000001',
    '0177.0.0.1',
    '2130706433',
    '①②⑦.⓪.⓪.①',
    '127。0。0。1',
    '%31%32%37.0.0.1',
    '0',
  ])('https://%s/ is an address that is not public, written in another way', (address) => {
    expect(host(address)).toBe('HOST_NOT_PUBLIC');
  });

  test.each([
    '[::]',
    '[::1]',
    '[fd00:ec2::254]',
    '[fe80::1]',
    '[fec0::1]',
    '[ff02::1]',
    '[::ffff:8.8.8.8]',
    '[::ffff:0:127.0.0.1]',
    '[::127.0.0.1]',
    '[64:ff9b::8.8.8.8]',
    '[64:ff9b:1::1]',
    '[2002:7f00:1::]',
    '[2001:0:1::1]',
    '[2001:db8::1]',
    '[3fff::1]',
    '[5f00::1]',
    '[100::1]',
    '[1::1]',
    '[4000::1]',
  ])('https://%s/ is an address that is not public', (address) => {
    expect(host(address)).toBe('HOST_NOT_PUBLIC');
  });

  test.each([
    'localhost',
    'localhost.',
    'ⓛocalhost',
    'loca\u00adlhost',
    'hooks.localhost',
    'printer.local',
    'metadata.google.internal',
    'router.home.arpa',
    'intranet',
    'constructor',
    'example.com.',
    'example..',
  ])('https://%s/ is a name that is not public', (name) => {
    expect(host(name)).toMatch(/^(HOST_NOT_PUBLIC|INVALID_FORMAT)$/);
  });

  test.each(['localhost.example.com', 'mylocalhost.com', 'local.example', 'internal.example.com'])(
    'https://%s/ only looks like one',
    (name) => {
      expect(host(name)).toBe(`https://${name}/hook`);
    },
  );

  test.each(['8.8.8.8', '172.15.255.255', '172.32.0.0', '100.63.255.255', '11.0.0.1', '2606:4700::1', '2a00:1450::1'])(
    'the address %s is public',
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );

  test.each(['', 'example.com', '1.2.3', 'fe80::1%eth0', '2606:4700::1%eth0'])('%j is no public address', (text) => {
    expect(isPublicAddress(text)).toBe(false);
  });

  test('the message to the client never repeats its URL', () => {
    const refusals = ['https://u:s3cret@10.0.0.7/', 'https://10.0.0.7/', 'x 10.0.0.7', 'http://10.0.0.7/'];
    for (const url of refusals) {
      expect(() => parseWebhookTarget(url, { allowsThisMachine: false })).toThrow(/^must (?!.*(10\.0\.0\.7|s3cret))/);
    }
  });
});

describe('decisions 7, where a webhook may point: this machine, in the local stage', () => {
  const local = (url: string) => outcome(url, true);

  test.each([
    ['http://127.0.0.1/hook', ['127.0.0.1']],
    ['http://127.0.0.1:9000/hook', ['127.0.0.1']],
    ['http://2130706433:9000/hook', ['127.0.0.1']],
    ['http://localhost:1/', ['127.0.0.1', '::1']],
    ['http://[::1]:65535/', ['::1']],
  ])('%s is allowed there, at addresses that DNS has no say in', (url, addresses) => {
    expect(parseWebhookTarget(url, { allowsThisMachine: true }).addresses).toEqual(addresses);
    expect(outcome(url)).toBe('NOT_ALLOWED');
  });

  test.each([
    ['http://example.com/', 'NOT_ALLOWED'],
    ['http://0.0.0.0:9000/', 'NOT_ALLOWED'],
    ['http://127.0.0.2/', 'NOT_ALLOWED'],
    ['http://hooks.localhost/', 'NOT_ALLOWED'],
    ['http://localhost./', 'NOT_ALLOWED'],
    ['http://constructor/', 'NOT_ALLOWED'],
    ['http://[::ffff:127.0.0.1]/', 'NOT_ALLOWED'],
    ['https://localhost/', 'HOST_NOT_PUBLIC'],
    ['https://127.0.0.1/', 'HOST_NOT_PUBLIC'],
  ])('%s is refused there too', (url, fault) => {
    expect(local(url)).toBe(fault);
  });

  test('everything else is as on the other stages', () => {
    expect(local('https://example.com/hook')).toBe('https://example.com/hook');
  });
});
