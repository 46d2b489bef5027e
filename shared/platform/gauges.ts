/** What is measured now: values by the names of their metrics. */
export type Gauges = Readonly<Record<string, number>>;

/**
 * The line of which CloudWatch makes metrics, in its embedded metric format, with the time at which they were measured. It
 * is written as it is: `console` would put it into a line of the runtime, in which CloudWatch does not look for it.
 */
export function gaugesLine(namespace: string, gauges: Gauges, now: Date): string {
  const Metrics = Object.keys(gauges).map((Name) => ({ Name }));
  const CloudWatchMetrics = [{ Namespace: namespace, Dimensions: [[]], Metrics }];
  return JSON.stringify({ _aws: { Timestamp: now.getTime(), CloudWatchMetrics }, ...gauges });
}
