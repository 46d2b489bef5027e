import { bypassProxy } from './bypass-proxy.ts';
import { checkProviders, USAGE } from './providers/check-providers.ts';

bypassProxy();
try {
  const isSame = await checkProviders(process.argv.slice(2), (line) => process.stdout.write(`${line}\n`));
  process.exitCode = isSame ? 0 : 1;
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n\n${USAGE}\n`);
  process.exitCode = 2;
}
