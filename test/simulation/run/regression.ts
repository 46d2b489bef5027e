import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { seeded } from '#test/simulation/kernel/random.ts';
import type { Script } from '#test/simulation/world/script/script.ts';
import { drawSwarm, type Swarm } from '#test/simulation/world/swarm.ts';
import type { Broken } from './shrink.ts';

/** A script that has broken a rule once. */
export interface Regression {
  /** Words with hyphens. */
  readonly name: string;
  readonly rule: string;
  readonly script: Script;
}

/** What a script has none of that was saved before there was any. */
const NOTHING: Omit<Script, 'swarm' | 'hasOwnPayouts' | 'quietFrom' | 'endsAt'> = {
  clients: [],
  offRamps: [],
  payins: [],
  notices: [],
  deeds: [],
  outages: [],
  deployments: [],
  badDeployments: [],
  operators: [],
  isQuiet: false,
};

const directory = fileURLToPath(new URL('../regressions/', import.meta.url));

/** @returns where it is */
export function saveRegression(name: string, { rule, script }: Broken): string {
  const file = `${directory}${name}.json`;
  writeFileSync(file, `${JSON.stringify({ rule, script: { ...script, swarm: onlyOn(script.swarm) } }, null, 2)}\n`);
  return file;
}

export function readRegressions(): readonly Regression[] {
  const names = readdirSync(directory).filter((file) => file.endsWith('.json'));
  return names.map((file) => {
    const { rule, script }: Omit<Regression, 'name'> = JSON.parse(readFileSync(`${directory}${file}`, 'utf8'));
    return { name: file.replace('.json', ''), rule, script: { ...NOTHING, ...script, swarm: withOff(script.swarm) } };
  });
}

/** The faults of it that are on: what is switched off is of no interest to a reader. */
function onlyOn(swarm: Swarm) {
  const parts = Object.entries(swarm).map(([part, faults]) => {
    const on = Object.entries(faults).filter(([, probability]) => probability > 0);
    return [part, Object.fromEntries(on)] as const;
  });
  return Object.fromEntries(parts.filter(([, faults]) => Object.keys(faults).length > 0));
}

/** Whatever it does not say is off, also what there was not yet when it was saved. */
function withOff(saved: Partial<Swarm>): Swarm {
  const swarm = drawSwarm({ ...seeded(0), chance: () => false });
  for (const [part, faults] of Object.entries(swarm)) Object.assign(faults, Reflect.get(saved, part));
  return swarm;
}
