/**
 * Loaded before everything else, by whatever Node there is: plain JavaScript, which says what to do where the Node that
 * this project brings along is not there, in place of the stack trace of one that cannot read TypeScript.
 */
const NEEDED = 24;

if (Number(process.versions.node.split('.')[0]) < NEEDED) {
  process.stderr.write(`This needs Node ${NEEDED}, and was started by Node ${process.versions.node}.
npm ci brings Node ${NEEDED} along by an install script, and that has not run (npm's setting ignore-scripts). To run it:

  npm rebuild node esbuild --ignore-scripts=false
`);
  process.exit(1);
}
