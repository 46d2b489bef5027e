import type { Deployed } from '#test/simulation/aws/aws-in-memory.ts';
import { START } from '#test/simulation/world/script/moments.ts';
import { textOf } from './failure.ts';
import { commandOf, type Line, playRound, type RoundNumber } from './round.ts';

/** No line has more of what was asked. */
const LONGEST = 600;

/** What each function says at its end, how tokens were given, that time passed, and what sweeps did not find. */
const NOISE =
  /^(?:! chances: delay$|info (?:CALL_DONE|REQUEST_SERVED|MESSAGE_HANDLED) |POST \/api\/token .* → 200 |get clients )/;
const FOUND_NOTHING = /^query .* → 0$/;

/** How to play a round again, what happens in it, and why it fails if it does. */
export async function reportRound(deployed: Deployed, number: RoundNumber): Promise<string> {
  const lines: Line[] = [];
  let outcome = 'Every rule held.';
  try {
    await playRound(deployed, number, { tell: (line) => lines.push(line) });
  } catch (error) {
    outcome = textOf(error);
  }
  const isSweep = (who: string) => deployed.topology.everyMinute.some((folder) => who.startsWith(`${folder} (`));
  const told = lines.filter(({ who, text }) => !NOISE.test(text) && !(isSweep(who) && FOUND_NOTHING.test(text)));
  const history = told.map(({ at, who, text }) => {
    const seconds = ((at - START) / 1000).toFixed(3);
    return `${seconds.padStart(12)}  ${who.padEnd(46)}  ${text.slice(0, LONGEST)}`;
  });
  return [commandOf(number), '', ...history, '', outcome].join('\n');
}
