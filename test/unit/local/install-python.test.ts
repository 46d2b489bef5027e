import { chmod, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { localDirectory } from '#infra/cli/local-directory.ts';
import { installPython, isInstalled, PackagesNotInstalled } from '#infra/local/install-python.ts';
import { explainPip } from '#infra/local/pip-failure.ts';

const { signal } = new AbortController();

describe('installing Python packages', () => {
  let folder = '';
  let requirements = '';
  beforeEach(async () => {
    await mkdir(localDirectory, { recursive: true });
    folder = await mkdtemp(join(tmpdir(), 'install-python-'));
    requirements = join(folder, 'requirements.txt');
    await writeFile(requirements, `# ${folder}\n`);
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true });
    const left = (await readdir(localDirectory)).filter((entry) => entry.startsWith('planted-'));
    expect(left).toEqual([]);
  });

  /** A machine whose only Python is this shell script. */
  async function machineWith(script: string): Promise<void> {
    const bin = join(folder, 'bin');
    await mkdir(bin);
    await writeFile(join(bin, 'python3'), `#!/bin/sh\n${script}`);
    await chmod(join(bin, 'python3'), 0o755);
    vi.stubEnv('PATH', [bin, '/usr/bin', '/bin'].join(delimiter));
  }

  const install = () => installPython('planted', requirements, signal);

  test('on a machine without Python says so', async () => {
    vi.stubEnv('PATH', folder);
    await expect(install()).rejects.toThrow('No Python 3.10 or newer was found.');
  });

  test('whose Python has gone since installs them anew, whatever the shell says of packages', async () => {
    await machineWith(`[ "$1" = -c ] && exit 0
      if [ "$2" = venv ]; then mkdir -p "$3/bin"; cp "$0" "$3/bin/python"; exit 0; fi
      [ "$PIP_USER" = 0 ] && [ -z "$PYTHONPATH" ]`);
    for (const name of ['PIP_USER', 'PYTHONPATH']) vi.stubEnv(name, '1');
    const python = await install();
    await rm(python);
    await symlink('/python/of/last/year', python);
    expect(await install()).toBe(python);
    expect(await isInstalled(python)).toBe(true);
    await rm(join(python, '..', '..'), { recursive: true });
  });

  test('from an index that cannot be reached says what can be set', async () => {
    // The Python of the virtual environment is a copy of the script itself.
    await machineWith(`[ "$1" = -c ] && exit 0
      if [ "$2" = venv ]; then mkdir -p "$3/bin"; cp "$0" "$3/bin/python"; exit 0; fi
      echo "ERROR: No matching distribution found"; exit 1`);
    const failing = install();
    await expect(failing).rejects.toThrow(PackagesNotInstalled);
    await expect(failing).rejects.toThrow(/No matching distribution found[\s\S]*PIP_INDEX_URL[\s\S]*HTTPS_PROXY/);
  });
});

test('on a full disk nobody is sent to another index', () => {
  expect(explainPip('ERROR: [Errno 28] No space left on device\n')).toBe('ERROR: [Errno 28] No space left on device');
});
