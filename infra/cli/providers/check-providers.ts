import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import * as z from 'zod/mini';
import { readSettings } from '#infra/stage/read-settings.ts';
import type { Settings } from '#infra/stage/settings.ts';
import { fireblocksServers } from '#shared/off-ramps/custodians/fireblocks/fireblocks-settings.ts';
import { paymentMethods } from '#shared/pay-ins/payment-methods.ts';
import { wompiServers } from '#shared/pay-ins/rails/wompi/wompi-settings.ts';
import { keysOf } from '#shared/platform/collections.ts';
import { isProtectedUrl } from '#shared/platform/protected-url.ts';
import { custodianCredentials, parseCredentials, railCredentials } from './credentials.ts';
import type { Finding, ManualCheck, Question } from './finding.ts';
import { createReadFireblocks } from './fireblocks-catalogue.ts';
import { fireblocksManualChecks, fireblocksQuestions } from './fireblocks-questions.ts';
import { senderManualChecks, senderQuestions } from './fireblocks-sender-questions.ts';
import { wompiManualChecks, wompiQuestions } from './wompi-questions.ts';

export const USAGE = `npm run providers:check -- --stage <staging|prod> [--custodian-credentials <file>] [--sender-credentials <file>]
    [--rail-credentials <file>]
  Asks the providers of a stage what only they can say, a line for each question, and compares it with the settings.
  Nothing is changed there. Without credentials it prints what it would ask. The files have
    {"apiKey", "privateKeyPem"} of the reader, and of the sender, and {"publicKey", "privateKey", "integritySecret", "eventsSecret"}.
  --settings <file>, --custodian-url <url>, --rail-url <url>: other settings and servers than the stage's`;

/** The signs of the verdicts. A question that cannot be asked here is no difference. */
const marks: Readonly<Record<Finding['verdict'], string>> = { agrees: '✓', differs: '✗', unknown: '?' };

/** The questions of a provider; none when there are no credentials. */
interface Provider {
  readonly name: string;
  readonly questions: readonly Question[];
  readonly byHand: readonly ManualCheck[];
  readonly isAsked: boolean;
}

/** @returns true if nothing differs */
export async function checkProviders(args: readonly string[], print: (line: string) => void): Promise<boolean> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      stage: { type: 'string', default: 'staging' },
      settings: { type: 'string' },
      'custodian-credentials': { type: 'string' },
      'sender-credentials': { type: 'string' },
      'custodian-url': { type: 'string' },
      'rail-credentials': { type: 'string' },
      'rail-url': { type: 'string' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) {
    print(USAGE);
    return true;
  }
  const { stage } = values;
  if (stage !== 'staging' && stage !== 'prod') throw new Error('--stage takes staging or prod.');
  const settings = readSettings(stage, values.settings);
  const custodianUrl = serverAt('--custodian-url', values['custodian-url']);
  const railUrl = serverAt('--rail-url', values['rail-url']);
  const providers = [
    ...custodianOf(settings, values['custodian-credentials'], values['sender-credentials'], custodianUrl),
    ...railOf(settings, values['rail-credentials'], railUrl),
  ];
  if (providers.length === 0) print(`The settings of ${stage} have no provider to ask: all are simulated, or a chain.`);
  let isSame = true;
  for (const provider of providers) isSame = (await checkProvider(provider, print)) && isSame;
  return isSame;
}

/** The options that name the credentials of each provider of a stage. */
export function credentialOptions(settings: Settings): readonly string[] {
  const { fireblocks, wompi } = settings;
  const sends = senderQuestions(createReadFireblocks(NOBODY, { url: '' }), settings).length > 0;
  return [
    ...(fireblocks === undefined ? [] : ['custodian-credentials']),
    ...(sends ? ['sender-credentials'] : []),
    ...(wompi === undefined ? [] : ['rail-credentials']),
  ];
}

function custodianOf(
  settings: Settings,
  file: string | undefined,
  senderFile: string | undefined,
  url: string | undefined,
): readonly Provider[] {
  const { fireblocks } = settings;
  if (fireblocks === undefined) return [];
  const server = { url: url ?? fireblocksServers[fireblocks.server].url };
  const readAs = (option: string, of: string | undefined) =>
    createReadFireblocks(of === undefined ? NOBODY : parseCredentials(option, custodianCredentials, read(of)), server);
  const questions = fireblocksQuestions(readAs('--custodian-credentials', file), fireblocks);
  const asSender = senderQuestions(readAs('--sender-credentials', senderFile), settings);
  return [
    { name: 'Fireblocks', questions, byHand: fireblocksManualChecks, isAsked: file !== undefined },
    ...(asSender.length === 0
      ? []
      : [
          {
            ...{ name: 'Fireblocks, as the sender', questions: asSender, byHand: senderManualChecks },
            isAsked: senderFile !== undefined,
          },
        ]),
  ];
}

/** Credentials of a reader that is never called. */
const NOBODY = { apiKey: '', privateKeyPem: '' };

/** The origin of a server's URL. The URL must be protected, because requests bear keys. */
function serverAt(option: string, url: string | undefined): string | undefined {
  if (url === undefined) return undefined;
  if (!isProtectedUrl(url)) throw new Error(`${option} must be an https URL, or an http URL of this machine.`);
  return new URL(url).origin;
}

function railOf(settings: Settings, file: string | undefined, url: string | undefined): readonly Provider[] {
  const { wompi, rails = {} } = settings;
  if (wompi === undefined) return [];
  const none = { publicKey: '', privateKey: '', integritySecret: '', eventsSecret: '' };
  const keys = file === undefined ? none : parseCredentials('--rail-credentials', railCredentials, read(file));
  const { isTest, url: own } = wompiServers[wompi.server];
  const methods = keysOf(paymentMethods).filter((method) => rails[method] === 'wompi');
  const questions = wompiQuestions({
    keys,
    server: { url: url ?? own, isTest },
    methods,
  });
  return [{ name: 'Wompi', questions, byHand: wompiManualChecks, isAsked: file !== undefined }];
}

async function checkProvider(
  { name, questions, byHand, isAsked }: Provider,
  print: (line: string) => void,
): Promise<boolean> {
  print(isAsked ? `${name}:` : `${name}: no credentials. With them it would ask:`);
  let isSame = true;
  for (const { about, request, ask } of questions) {
    if (isAsked) {
      const { verdict, said } = await findingOf(ask);
      isSame &&= verdict !== 'differs';
      print(`  ${marks[verdict]} ${about}: ${said}`);
    } else print(`  - ${about}: ${request}`);
  }
  print('  By hand, in a workspace for tests:');
  for (const { about, request } of byHand) print(`  - ${about}: ${request}`);
  return isSame;
}

/** A question without an answer counts as a difference: the running service would get no answer either. */
async function findingOf(ask: Question['ask']): Promise<Finding> {
  try {
    return await ask();
  } catch (error) {
    const isFormat = error instanceof z.core.$ZodError;
    const reason = isFormat
      ? `an answer in another format: ${error.issues.map(({ path }) => path.join('.')).join(', ')}`
      : error instanceof Error
        ? error.message
        : String(error);
    return { verdict: 'differs', said: reason };
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new Error(`${file} cannot be read.`);
  }
}
