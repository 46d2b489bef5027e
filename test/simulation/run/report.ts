import type { Deployed } from '#test/simulation/aws/aws-in-memory.ts';
import { textOf } from './failure.ts';
import { createNames, type Names } from './names.ts';
import { readable, readableHistory } from './readable.ts';
import { commandOf, type Line, playRound, type RoundNumber, scriptOf } from './round.ts';

/** How to play a round again, what happens in it, and why it fails if it does. */
export async function reportRound(deployed: Deployed, number: RoundNumber): Promise<string> {
  const names = createNames(scriptOf(number));
  const lines: Line[] = [];
  const outcome = await outcomeOf(names, () =>
    playRound(deployed, number, { tell: (line) => lines.push(line), onTransaction: names.learn }),
  );
  const history = readableHistory(lines, names, deployed.topology.everyMinute);
  return [commandOf(number), '', ...history, '', outcome].join('\n');
}

async function outcomeOf(names: Names, play: () => Promise<unknown>): Promise<string> {
  try {
    await play();
    return 'Every rule held.';
  } catch (error) {
    return readable(textOf(error), names);
  }
}
