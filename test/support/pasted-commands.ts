import { blocksIn, sectionOf, textOf } from './markdown.ts';

/** The blocks that the README tells its reader to paste. */
export const sampleCommands = commandsBelow('README.md', 'One off-ramp with curl', 7);

/** The blocks that the page on webhooks tells its reader to paste after that. */
export const webhookCommands = commandsBelow('docs/webhooks.md', 'Testing, resending and replaying with curl', 8);

/** @throws when there are not as many blocks as the tests run */
function commandsBelow(file: string, heading: string, count: number): readonly string[] {
  const blocks = blocksIn(sectionOf(textOf(file), heading), 'bash');
  if (blocks.length === count) return blocks;
  throw new Error(`${file} has ${blocks.length} blocks of commands below «${heading}», and the tests run ${count}.`);
}
