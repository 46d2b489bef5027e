import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, inject, test } from 'vitest';
import { guides } from '#infra/site/guides.ts';
import { type Sample, samplesOf } from '#test/support/guide-samples.ts';
import { newTenant } from '#test/support/tenant.ts';

const run = promisify(execFile);
const pages = guides.map(({ name }) => ({ name, samples: samplesOf(`docs/${name}.md`) }));
const withRuns = pages.filter(({ samples }) => samples.some(({ use }) => use === 'run'));
const files = pages.flatMap(({ samples }) => samples.filter(({ file }) => file?.endsWith('.mjs')));

/** Separates the outputs of two samples. */
const MARK = '--- next ---';

const programs: Readonly<Record<string, { readonly command: string; readonly name: string; readonly mark: string }>> = {
  js: { command: process.execPath, name: 'sample.mjs', mark: `console.log('${MARK}');` },
  bash: { command: 'bash', name: 'sample.sh', mark: `echo; echo '${MARK}'` },
};

/** Runs a page's samples in one language, one after another as a reader would; returns what each prints. */
async function printed(language: string, samples: readonly Sample[], environment: Record<string, string>) {
  const program = programs[language];
  if (program === undefined) throw new Error(`No sample in ${language} is run: say how in guides.test.ts.`);
  const folder = await mkdtemp(join(tmpdir(), 'guides-'));
  try {
    for (const { file, code } of files) await writeFile(join(folder, file ?? ''), code);
    await writeFile(join(folder, program.name), samples.map(({ code }) => `${code}\n${program.mark}\n`).join(''));
    const env = { ...process.env, ...environment };
    const { stdout } = await run(program.command, [program.name], { cwd: folder, env, timeout: 200_000 });
    return stdout
      .split(MARK)
      .slice(0, -1)
      .map((text) => text.trim());
  } finally {
    await rm(folder, { recursive: true });
  }
}

test('the guides have samples to run', () => {
  expect(withRuns.map(({ name }) => name)).toEqual(['start', 'off-ramp', 'wrong-deposits', 'pay-in']);
});

describe.each(withRuns)('the samples of the guide $name', ({ name, samples }) => {
  const runs = samples.filter(({ use }) => use === 'run');
  test.each([...new Set(runs.map(({ language }) => language))])('in %s print what the page says', async (language) => {
    const { clientId, clientSecret, users } = await newTenant(`guide-${name}-${language}`);
    const [user] = users;
    const wallet = user?.externalWallets.find(({ network }) => network === 'POLYGON');
    const own = runs.filter((sample) => sample.language === language);
    const said = await printed(language, own, {
      BASE_URL: inject('outputs').baseUrl,
      CLIENT_ID: clientId,
      CLIENT_SECRET: clientSecret,
      USER_ID: user?.userId ?? '',
      WALLET_ID: wallet?.id ?? '',
      WALLET_ADDRESS: wallet?.address ?? '',
    });
    expect(said).toHaveLength(own.length);
    for (const [index, { output }] of own.entries()) expect(said[index]).toMatch(output);
  });
});
