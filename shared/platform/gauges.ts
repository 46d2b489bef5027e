/** Current measurements by the names of their metrics. */
export type Gauges = Readonly<Record<string, number>>;

/**
 * The line from which CloudWatch makes metrics, in its embedded metric format, with the time of the measurement. It is
 * written directly, because `console` would wrap it into a runtime line, where CloudWatch does not look for it.
 */
export function gaugesLine(namespace: string, gauges: Gauges, now: Date): string {
  const Metrics = Object.keys(gauges).map((Name) => ({ Name }));
  const CloudWatchMetrics = [{ Namespace: namespace, Dimensions: [[]], Metrics }];
  return JSON.stringify({ _aws: { Timestamp: now.getTime(), CloudWatchMetrics }, ...gauges });
}
