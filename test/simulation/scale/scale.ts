import { parseArgs } from 'node:util';
import { readOptionsOrExit } from '#infra/cli/read-options.ts';
import { deployed } from '#test/simulation/service/deployed.ts';
import { readTopology } from '#test/simulation/topology/read-topology.ts';
import { synthesiseStaging } from '#test/simulation/topology/synthesise.ts';
import { measureLoad } from './load.ts';
import { tablesOf } from './table.ts';

const USAGE = `npm run scale
  Prints the tables of docs/scale.md: what breaks first, and what each sweep can do. It plays some off-ramps and pay-ins
  without faults, counts what each takes, and divides the bounds of production, of the code and of AWS by it.
  --help  print this`;

readOptionsOrExit(USAGE, () => parseArgs({ options: {} }));
process.stdout.write(tablesOf(await measureLoad(await deployed(readTopology(synthesiseStaging())))));
