import { describe, expect, test } from 'vitest';
import { checkProviders } from '#infra/cli/providers/check-providers.ts';

describe('npm run providers:check', () => {
  test.each(['custodian', 'rail'])('sends the keys of the %s without TLS only to this machine', async (kind) => {
    const asking = (url: string) => checkProviders([`--${kind}-url`, url], () => {});
    await expect(asking('http://provider.example')).rejects.toThrow(`--${kind}-url must be an https URL`);
    for (const url of ['http://127.0.0.1:1', 'https://provider.example']) expect(await asking(url)).toBe(true);
  });
});
