import type { Random } from '#test/simulation/kernel/random.ts';
import { manners, type Spell } from '#test/simulation/world/endpoints/behaviour.ts';
import type { Swarm } from '#test/simulation/world/swarm.ts';
import { HOUR, MINUTE, SECOND, START } from './moments.ts';
import type { WebhookChange, WebhookScript } from './script.ts';

const doings = ['ROTATE', 'DEACTIVATE', 'ACTIVATE', 'MOVE', 'REMOVE', 'TEST', 'RESEND', 'REPLAY', 'LIST'] as const;

/** Writes a webhook, its endpoint's manners, and its client's changes. */
export function writeWebhook(host: string, swarm: Swarm, moment: () => number, random: Random): WebhookScript {
  const habits = swarm.webhooks;
  return {
    url: `https://${host}.example/webhooks`,
    process: random.chance(0.8) ? 'ramp' : random.pick(['compliance', 'wallet_transfer']),
    method: random.pick(['POST', 'PUT']),
    at: START + (random.chance(0.7) ? 5 * SECOND : moment()),
    spells: writeSpells(habits, moment, random),
    changes: random.chance(habits.change)
      ? [writeChange(moment, random), writeChange(moment, random), writeChange(moment, random)]
      : [],
  };
}

function writeChange(moment: () => number, random: Random): WebhookChange {
  return { at: START + moment() + random.below(10 * MINUTE), does: random.pick(doings) };
}

/** Bad spells end, unless the endpoint stays broken. */
function writeSpells(habits: Swarm['webhooks'], moment: () => number, random: Random): readonly Spell[] {
  if (!random.chance(habits.spell)) return [];
  const from = START + moment();
  const spell: Spell = { from, manner: random.pick(manners) };
  if (random.chance(habits.broken)) return [spell];
  return [spell, { from: from + random.below(random.pick([10 * MINUTE, 10 * MINUTE, 3 * HOUR])), manner: 'OK' }];
}
