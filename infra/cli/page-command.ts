import { Command } from 'commander';
import type { CommandContext, Target } from './command-context.ts';
import { servePage } from './operations-page/serve-page.ts';

/** Serves the page of operations to the operator at this machine, until the command is stopped. */
export function pageCommand(
  targetOf: (given: unknown) => Target,
  { findService, print, say, untilStopped }: CommandContext,
): Command {
  const one = new Command('page').description(
    'Serves the page of operations to you alone: lists, off-ramps, pay-ins and deposits, live. It changes nothing.',
  );
  one.addHelpText('after', '\nExample:\n  npm run ops -- page --stage prod');
  return one.action(async () => {
    const target = targetOf(one.optsWithGlobals());
    const service = await findService(target);
    const page = await servePage(service, optionsOf(target));
    print(`${page.url}\n`);
    say(
      `The page of ${service.name}, with your identity, until Ctrl-C. The address is a secret: whoever has it sees what you may see.\n`,
    );
    await untilStopped();
    await page.stop();
  });
}

function optionsOf({ stage, profile, port, as }: Target): string {
  const options = { ...(stage !== 'local' && { stage }), profile, port, as };
  return Object.entries(options)
    .flatMap(([name, value]) => (value === undefined ? [] : [`--${name} ${value}`]))
    .join(' ');
}
