import { START } from '#test/simulation/world/script/moments.ts';
import type { Names } from './names.ts';
import type { Line } from './round.ts';

/** No line has more of what was asked, and none more of one leg of a transaction. */
const LONGEST = 300;
const LONGEST_LEG = 160;
const BETWEEN_LEGS = ' · ';

/** Milliseconds: whatever comes after a longer time than this comes after an empty line. */
const PAUSE = 20_000;

/** The history of a round for a person: by names, with times since its start, without what found nothing. */
export function readableHistory(
  lines: readonly Line[],
  names: Names,
  everyMinute: readonly string[],
): readonly string[] {
  const told = withoutNoise(lines, everyMinute);
  return told.flatMap((line, index) => {
    const before = told[index - 1];
    const isLater = before?.at !== line.at;
    const time = isLater ? sinceStart(line.at) : '';
    const who = isLater || before?.who !== line.who ? readable(shortFolder(line.who), names) : '';
    const text = short(readable(line.text, names));
    const isAfterPause = before !== undefined && line.at - before.at > PAUSE;
    return [...(isAfterPause ? [''] : []), `${time.padStart(13)}  ${who.padEnd(34)}  ${text}`.trimEnd()];
  });
}

/** A text of the service or of AWS, or JSON, with names and times that a person can follow. */
export function readable(text: string, names: Names): string {
  return (
    names
      .named(text)
      .replaceAll('\\"', '"')
      .replaceAll(/\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, (instant) => sinceStart(Date.parse(instant)))
      .replaceAll(/\b17\d{11}\b/g, (instant) => sinceStart(Number(instant)))
      .replaceAll(/\b17\d{8}\b/g, (instant) => sinceStart(Number(instant) * 1000))
      // What AWS adds to names of queues and rules, and to events.
      .replaceAll(/\b([A-Z][A-Za-z]{3,}?)[0-9A-F]{8}\b/g, '$1')
      .replaceAll(
        /"version":"0","id":"event-\d+",|"account":"\d+","time":"[^"]*","region":"[^"]*","resources":\[\],/g,
        '',
      )
      .replaceAll(/\b(?:evt_|dlv_)?[0-9a-f]{8}-?[0-9a-f-]{16,}([0-9a-f]{4})\b/g, '…$1')
      .replaceAll('"', '')
  );
}

function short(text: string): string {
  const legs = text.split(BETWEEN_LEGS);
  const longest = legs.length === 1 ? LONGEST : LONGEST_LEG;
  return legs.map((leg) => (leg.length > longest ? `${leg.slice(0, longest)} …` : leg)).join(BETWEEN_LEGS);
}

/** `+1:02:03.004`: hours only where there are any, thousandths as well. */
function sinceStart(instant: number): string {
  const since = Math.abs(instant - START);
  const [hours, minutes, seconds, thousandths] = [
    since / 3_600_000,
    (since / 60_000) % 60,
    (since / 1000) % 60,
    since % 1000,
  ].map(Math.floor);
  const two = (value = 0) => String(value).padStart(2, '0');
  const clock = hours === 0 ? `${minutes}:${two(seconds)}` : `${hours}:${two(minutes)}:${two(seconds)}`;
  return `${instant < START ? '-' : '+'}${clock}${thousandths === 0 ? '' : `.${String(thousandths).padStart(3, '0')}`}`;
}

/** Without what sweeps did not find, what each function says at its end, how tokens were given, and that time passed. */
function withoutNoise(lines: readonly Line[], everyMinute: readonly string[]): readonly Line[] {
  const isSweep = ({ who }: Line) => everyMinute.some((folder) => who.startsWith(`${folder} (`));
  return lines.filter((line) => !NOISE.test(line.text) && !(isSweep(line) && FOUND_NOTHING.test(line.text)));
}

const NOISE =
  /^(?:! chances: delay$|info (?:CALL_DONE|REQUEST_SERVED|MESSAGE_HANDLED) |POST \/api\/token .* → 200 |get clients )/;
const FOUND_NOTHING = /^query .* → 0$/;

/** `off-ramps/match-deposit (7)`: what the module is called is in the name of its function. */
function shortFolder(who: string): string {
  return who.replace(/^[\w-]+\/([\w-]+ \(\d+\))$/, '$1');
}
