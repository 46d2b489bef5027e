/**
 * Loaded before everything else, by whatever Node is installed, so it is plain JavaScript. Where the right Node or the
 * packages of this project are missing, it says what to do, in place of a stack trace.
 */
const NEEDED = 24;

/** The exit status of an interrupted program. */
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

// NODE_ENV=production, set in many images, makes npm leave out the packages that deploy the service.
if (process.getBuiltinModule?.('node:fs').existsSync('node_modules/aws-cdk-lib') === false) {
  process.stderr.write(`The packages of this project are not installed, or only those of production. Install all of them:

  npm ci --include=dev

`);
  process.exit(1);
}

// The reader of the output may end first, as `head` does: exit without a stack trace. On a full disk the output is
// incomplete, and the command says so. A program that must clean up adds its own listener.
for (const output of [process.stdout, process.stderr]) {
  output.on('error', ({ code, message }) => {
    if (output.listenerCount('error') > 1) return;
    if (code !== 'EPIPE') process.stderr.write(`The output is not whole: ${message}\n`);
    process.exit(INTERRUPTED);
  });
}
