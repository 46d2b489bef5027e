/**
 * Loaded before everything else, by whatever Node there is: plain JavaScript, which says what to do where the Node or the
 * packages that this project brings along are not there, in place of a stack trace.
 */
const NEEDED = 24;

/** The exit status of what was interrupted. */
const INTERRUPTED = 130;

if (Number(process.versions.node.split('.')[0]) < NEEDED) {
  process.stderr.write(`This needs Node ${NEEDED}, and was started by Node ${process.versions.node}.
npm ci brings one along for Linux with glibc and for macOS, as an optional dependency. Where it was left out (npm's setting
omit), install again:

  npm ci --include=optional

On any other system, install Node ${NEEDED} or newer.
`);
  process.exit(1);
}

// NODE_ENV=production, as in many images, leaves out what the service is deployed with.
if (process.getBuiltinModule?.('node:fs').existsSync('node_modules/aws-cdk-lib') === false) {
  process.stderr.write(`The packages of this project are not installed, or only those of production. Install all of them:

  npm ci --include=dev

`);
  process.exit(1);
}

// The reader of the output may end first, as `head` does: no stack trace. A program that has something to end does so itself.
for (const output of [process.stdout, process.stderr]) {
  output.on('error', () => output.listenerCount('error') === 1 && process.exit(INTERRUPTED));
}
