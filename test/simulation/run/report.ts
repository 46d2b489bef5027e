import type { Deployed } from '#test/simulation/aws/aws-in-memory.ts';
import { START } from '#test/simulation/world/script/moments.ts';
import { textOf } from './failure.ts';
import { commandOf, type Line, playRound, type RoundNumber } from './round.ts';

/** Characters of a line that are printed. */
const LONGEST = 600;

/** Lines that are left out: the end of each call, tokens, passing time, and sweeps that found nothing. */
const NOISE =
  /^(?:! chances: delay$|info (?:CALL_DONE|REQUEST_SERVED|MESSAGE_HANDLED) |POST \/api\/token .* → 200 |get clients )/;
const FOUND_NOTHING = /^query .* → 0$/;

/** Returns the command that plays the round again, its history, and its outcome. */
export async function reportRound(deployed: Deployed, number: RoundNumber): Promise<string> {
  const lines: Line[] = [];
  let outcome = 'Every rule held.';
  try {
    await playRound(deployed, number, { tell: (line) => lines.push(line) });
  } catch (error) {
    outcome = textOf(error);
  }
  const isSweep = (who: string) => deployed.topology.everyMinute.some((folder) => who.startsWith(`${folder} (`));
  const shown = lines.filter(({ who, text }) => !NOISE.test(text) && !(isSweep(who) && FOUND_NOTHING.test(text)));
  const history = shown.map(({ at, who, text }) => {
    const seconds = ((at - START) / 1000).toFixed(3);
    return `${seconds.padStart(12)}  ${who.padEnd(46)}  ${text.slice(0, LONGEST)}`;
  });
  return [commandOf(number), '', ...history, '', outcome].join('\n');
}
