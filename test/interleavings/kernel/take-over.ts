import { type Clock, systemClock } from '#shared/runtime/clock.ts';
import { log } from '#shared/runtime/logger.ts';

/**
 * Until it is disposed of, time and chance are the schedule's wherever the service takes the system's own, and its lines
 * go where they are wanted.
 */
export function takeOver(clock: Clock, tell: (line: () => string) => void): Disposable {
  const before = { clock: { ...systemClock }, log: { ...log } };
  const line = (level: string) => (code: string, fields?: object) =>
    tell(() => `${level} ${code} ${JSON.stringify(fields)}`);
  Object.assign(systemClock, clock);
  Object.assign(log, { info: line('info'), warn: line('WARN'), error: line('ERROR') });
  return {
    [Symbol.dispose]() {
      Object.assign(systemClock, before.clock);
      Object.assign(log, before.log);
    },
  };
}
