import { parseArgs } from 'node:util';
import { examine } from './examine.ts';

const USAGE = `exam --url <address> --secret <whsec_…> [--method PUT]
  Calls a webhook endpoint as the service would, and as others would, and says what it does wrong.
  The exit status is 0 if it passes, 1 if there is a finding, and 2 if an argument is wrong.
  --url      where the endpoint listens, such as http://localhost:3000/hook
  --secret   of the webhook, as the endpoint knows it: any secret of 24 to 64 bytes will do
  --method   POST, unless you registered the webhook with PUT
`;

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<0 | 1 | 2> {
  const asked = read(args);
  if (typeof asked === 'string') {
    (asked === USAGE ? process.stdout : process.stderr).write(asked);
    return asked === USAGE ? 0 : 2;
  }
  const findings: string[] = [];
  const leftToSee = await examine(asked, ({ name, finding }) => {
    process.stdout.write(finding === undefined ? `✓ ${name}\n` : `✗ ${name}: ${finding}\n`);
    if (finding !== undefined) findings.push(finding);
  });
  process.stdout.write(
    leftToSee === undefined
      ? '\nNo other call was tried.\n'
      : `\n${findings.length === 0 ? 'Passed' : `Findings: ${findings.length}`}. Only you can see what the endpoint did with the events: ${leftToSee}\n`,
  );
  return findings.length === 0 ? 0 : 1;
}

/** Reads the arguments. @returns what to examine, or the text to print instead */
function read(args: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        url: { type: 'string' },
        secret: { type: 'string' },
        method: { type: 'string', default: 'POST' },
        help: { type: 'boolean', short: 'h' },
      },
    });
    const { url = '', secret = '', method, help } = values;
    if (help) return USAGE;
    if (positionals.join(' ') !== 'exam') throw new Error('The command is exam.');
    if (!URL.canParse(url) || !/^https?:/.test(url)) throw new Error('--url takes an address with http: or https:.');
    if (!isSecret(secret)) throw new Error('--secret takes whsec_ and base64 of 24 to 64 bytes.');
    if (method !== 'POST' && method !== 'PUT') throw new Error('--method takes POST or PUT.');
    return { url, secret, method } as const;
  } catch (error) {
    return `${error instanceof Error ? error.message : error}\n\n${USAGE}`;
  }
}

function isSecret(text: string): boolean {
  const bytes = Buffer.from(text.replace('whsec_', ''), 'base64');
  return bytes.length >= 24 && bytes.length <= 64 && text === `whsec_${bytes.toString('base64')}`;
}
