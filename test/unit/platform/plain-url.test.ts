import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { authorityOf, isUri } from '#shared/platform/http/fields.ts';

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

const ajv = new Ajv2020();
addFormats.default(ajv);
const isOfFormatUri = ajv.compile({ type: 'string', format: 'uri' });

test.each([
  'https://xn--mnchen-3ya.example:8443/a/%C3%A4',
  "https://x?a=b&c=(1)*'!$,;:@/?",
  'https://[2606:4700::1111]/~a_b-c.d',
  'https://x/ä',
  'https://münchen.example/',
  'https://x/\u200b',
  'https://x/a|b',
  'https://x/{id}',
  'https://x/"a"',
  'https://x/<a>',
  'https://x/a[b]',
  'https://x/?a[]=b',
  'https://x/%zz',
  'https://x/%',
  'https://x/^`',
])('%j is a URI exactly when readers of `format: uri` take it', (text) => {
  expect(authorityOf(text)).toBeDefined();
  expect(isUri(text)).toBe(isOfFormatUri(text));
});
