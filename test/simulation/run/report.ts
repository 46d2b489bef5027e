import type { Deployed } from '#test/simulation/aws/aws-in-memory.ts';
import type { Script } from '#test/simulation/world/script/script.ts';
import { textOf } from './failure.ts';
import { createNames, type Names } from './names.ts';
import { outlineOf } from './outline.ts';
import { readable, readableHistory } from './readable.ts';
import { commandOf, type History, historyOf, type Line, playScript, type RoundNumber, scriptOf } from './round.ts';

/** How to play a round again, what happens in it, and why it fails if it does. */
export async function reportRound(deployed: Deployed, number: RoundNumber): Promise<string> {
  const { history, outcome } = await reportOf(deployed, scriptOf(number), historyOf(number));
  return [commandOf(number), '', ...history, '', outcome].join('\n');
}

/** A script, one history of it, and the rule that does not hold, for a person. */
export async function reportScript(deployed: Deployed, script: Script, history: History): Promise<string> {
  const report = await reportOf(deployed, script, history);
  return [...report.outline, '', ...report.history, '', report.outcome].join('\n');
}

async function reportOf(deployed: Deployed, script: Script, history: History) {
  const names = createNames(script);
  const lines: Line[] = [];
  const outcome = await outcomeOf(names, () =>
    playScript(deployed, script, history, { tell: (line) => lines.push(line), onTransaction: names.learn }),
  );
  return {
    outline: outlineOf(script, names),
    history: readableHistory(lines, names, deployed.topology.everyMinute),
    outcome,
  };
}

async function outcomeOf(names: Names, play: () => Promise<unknown>): Promise<string> {
  try {
    await play();
    return 'Every rule held.';
  } catch (error) {
    return readable(textOf(error), names);
  }
}
