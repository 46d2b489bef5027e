import type { Base } from './base.ts';
import type { Guard } from './guard.ts';
import type { BreakingSet } from './search.ts';

/** The table of docs/testing.md, in which a guard of no set has to be given its reason. */
export function tableOf(base: Base, sets: readonly BreakingSet[]): string {
  const head = [
    '| Use case | Write | Condition | Needed in | Without it and | this does not hold, or why it is there | Off-ramps |',
    '| --- | --- | --- | --: | --- | --- | --: |',
  ];
  return [...head, ...base.guards.map((guard) => rowOf(guard, base, sets))].join('\n');
}

function rowOf(guard: Guard, base: Base, sets: readonly BreakingSet[]): string {
  const [useCase = '', write = '', condition = ''] = guard.name.split(' | ');
  const needed = written(base.roundsWith(guard.name).length);
  // The first one found is the smallest.
  const set = sets.find(({ guards }) => guards.includes(guard));
  const others = set?.guards.filter((one) => one !== guard).map((one) => withinRow(one, guard)) ?? [];
  const found =
    set === undefined
      ? ['–', '', '']
      : [others.join(', ') || 'nothing else', set.rule, written(base.offRampsUpTo(set.round))];
  return `| ${[useCase, write, `\`${condition}\``, needed, ...found].join(' | ')} |`;
}

/** As it is called beside another: by its use case only where that is another one. */
function withinRow({ name, useCase }: Guard, beside: Guard): string {
  const [, write = '', condition = ''] = name.split(' | ');
  return `\`${condition}\` of ${write}${useCase === beside.useCase ? '' : ` in *${useCase}*`}`;
}

function written(count: number): string {
  return count.toLocaleString('en');
}
