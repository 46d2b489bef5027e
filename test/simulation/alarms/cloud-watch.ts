import { evaluate } from './expression.ts';
import type { AlarmShape, Alarms, MetricShape } from './read-alarms.ts';

const MINUTE = 60_000;

/** Data points enter a metric, and are evaluated, about a minute later. */
const LATENCY = MINUTE;

interface Samples {
  readonly sum: number;
  readonly maximum: number;
  readonly count: number;
}

/** An alarm that went off, with its time in milliseconds since 1970. */
export interface Call {
  readonly alarm: string;
  readonly at: number;
}

type Field = string | number | boolean | undefined;

export interface CloudWatch {
  add(metric: Omit<MetricShape, 'statistic'>, at: number, value: number): void;
  /** Takes a line of a function's log. */
  log(folder: string, at: number, line: Readonly<Record<string, Field>>): void;
  /** Evaluates every alarm that calls a person, as at the end of each minute. */
  look(at: number): void;
  /** The first time that each alarm went off. */
  readonly calls: readonly Call[];
}

/**
 * Metrics and alarms in memory. An alarm evaluates each minute the periods that end there (a sliding window), and goes
 * off when enough of them breach; a period without data breaches or not, as the alarm defines.
 */
export function createCloudWatch({ alarms, filters }: Alarms): CloudWatch {
  const series = new Map<string, Map<number, Samples>>();
  const calling = alarms.filter(({ calls }) => calls);
  const calls: Call[] = [];

  const keyOf = ({ namespace, name, dimensions }: Omit<MetricShape, 'statistic'>) =>
    [namespace, name, dimensions].join('|');

  function add(metric: Omit<MetricShape, 'statistic'>, at: number, value: number): void {
    const minutes = series.get(keyOf(metric)) ?? new Map<number, Samples>();
    const minute = Math.floor(at / MINUTE);
    const { sum, maximum, count } = minutes.get(minute) ?? { sum: 0, maximum: value, count: 0 };
    minutes.set(minute, { sum: sum + value, maximum: Math.max(maximum, value), count: count + 1 });
    series.set(keyOf(metric), minutes);
  }

  /** The statistic of the period before the given minute. */
  function statisticOf(metric: MetricShape, end: number, minutes: number): number | undefined {
    const known = series.get(keyOf(metric));
    const found = Array.from({ length: minutes }, (_, index) => known?.get(end - 1 - index)).filter(
      (samples) => samples !== undefined,
    );
    if (found.length === 0) return undefined;
    if (metric.statistic === 'Maximum') return Math.max(...found.map(({ maximum }) => maximum));
    return found.reduce((sum, samples) => sum + (metric.statistic === 'Sum' ? samples.sum : samples.count), 0);
  }

  function breaches(alarm: AlarmShape, end: number): boolean {
    const { metrics, expression, threshold, isBelow, missingIsBreaching, periodMinutes } = alarm;
    const value = evaluate(expression, (name) => metrics[name] && statisticOf(metrics[name], end, periodMinutes));
    if (typeof value !== 'number') return missingIsBreaching;
    return isBelow ? value < threshold : value >= threshold;
  }

  return {
    add,
    calls,
    log(folder, at, line) {
      const fieldOf = (name: string) => line[name.slice('$.'.length)];
      for (const { folders, pattern, metric, amount, otherwise } of filters) {
        if (!folders.includes(folder)) continue;
        const fits = evaluate(pattern, (name) => textOf(fieldOf(name))) === 1;
        const ofFitting = Number(amount.startsWith('$.') ? fieldOf(amount) : amount);
        const counted = fits ? ofFitting : otherwise;
        // A matching line without such a number is not counted.
        if (counted !== undefined && !Number.isNaN(counted)) add(metric, at, counted);
      }
    },
    look(at) {
      const last = Math.floor((at - LATENCY) / MINUTE);
      for (const alarm of calling) {
        if (calls.some((call) => call.alarm === alarm.name)) continue;
        const ends = Array.from({ length: alarm.of }, (_, index) => last - index * alarm.periodMinutes);
        if (ends.filter((end) => breaches(alarm, end)).length >= alarm.failing) calls.push({ alarm: alarm.name, at });
      }
    },
  };
}

const textOf = (field: Field) => (field === undefined ? undefined : String(field));
