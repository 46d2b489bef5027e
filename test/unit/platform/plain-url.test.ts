import { expect, test } from 'vitest';
import { authorityOf } from '#shared/platform/http/fields.ts';

test.each([
  ['https://x', 'x'],
  ['HTTPS://Client.example:8443/return?a=b#c', 'Client.example:8443'],
  ['http://[::1]/', '[::1]'],
  ['https://a@b/', 'a@b'],
])('%j is written plainly, for %s', (text, authority) => {
  expect(authorityOf(text)).toBe(authority);
});

test.each([
  'https://x/\r\nSet-Cookie: a=b',
  ' https://x',
  'https://x ',
  'https://x/a b',
  'https://x/\u00a0',
  'https://x/\u0000',
  'https:evil.com',
  'https:/evil.com',
  'https:\\\\evil.com',
  'https://x\\@evil.com',
  'https://x/a\\b',
  '//x',
  '/return',
  'javascript:alert(1)',
  'https://',
  'https://x:99999',
  '',
])('%j is not written plainly', (text) => {
  expect(authorityOf(text)).toBeUndefined();
});
