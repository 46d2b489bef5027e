import type { Script } from '#test/simulation/world/script/script.ts';
import type { Names } from './names.ts';
import { readable, sinceStart } from './readable.ts';

/** What is in a script, in a line each, and which faults and habits are on. */
export function outlineOf(script: Script, names: Names): readonly string[] {
  const { clients, swarm, ...acts } = script;
  const faults = Object.entries(swarm).flatMap(([part, probabilities]) =>
    Object.entries(probabilities).flatMap(([fault, value]) => (value > 0 ? [`${part}: ${fault} ${value}`] : [])),
  );
  return [
    ...clients.map(
      ({ name, webhooks }) => `${name}${webhooks.map((webhook) => ` ${textOf(webhook, names)}`).join('')}`,
    ),
    ...Object.entries(acts).flatMap(([kind, parts]) =>
      Array.isArray(parts) ? parts.map((part) => `${kind}: ${textOf(part, names)}`) : [],
    ),
    `everybody outside is well from ${sinceStart(script.quietFrom)} on`,
    faults.length === 0 ? 'no faults' : `faults: ${faults.join(', ')}`,
  ];
}

/** JSON without what is empty. */
function textOf(part: unknown, names: Names): string {
  const isEmpty = (value: unknown) => Array.isArray(value) && value.length === 0;
  return readable(
    JSON.stringify(part, (_, value: unknown) => (isEmpty(value) ? undefined : value)),
    names,
  );
}
