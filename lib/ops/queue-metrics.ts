import { Gauge } from 'prom-client';
import type { Metrics } from './metrics.ts';

/** The state of a queue at one moment. */
export type QueueFigures = {
  queue: string;
  /** Jobs by state. */
  jobs: Readonly<Record<string, number>>;
  /** Age in seconds of the oldest run that no worker has started; 0 if every run has been started. */
  oldestSeconds: number;
  /** Number of runs that wait because their workspace has reached its limit of concurrent runs. */
  waiting: number;
};

/** Adds the metrics of the queues to a registry. The values are read once per scrape. `ask` must not throw. */
export function addQueueMetrics({ registry }: Metrics, ask: () => Promise<readonly QueueFigures[]>) {
  let requested: Promise<readonly QueueFigures[]> | undefined;
  const figures = () => (requested ??= ask().finally(() => (requested = undefined)));
  const gauge = (
    name: string,
    help: string,
    valuesOf: (figures: QueueFigures) => [labels: Record<string, string>, value: number][],
    labelNames: string[] = [],
  ) =>
    new Gauge({
      name,
      help,
      labelNames: ['queue', ...labelNames],
      registers: [registry],
      async collect() {
        for (const each of await figures()) {
          for (const [labels, value] of valuesOf(each)) this.set({ queue: each.queue, ...labels }, value);
        }
      },
    });
  return [
    gauge(
      'assay_queue_oldest_seconds',
      'Age of the oldest run that no worker has started, in seconds',
      (each) => [[{}, each.oldestSeconds]],
    ),
    gauge(
      'assay_runs_waiting',
      'Runs that wait because their workspace has reached its limit of concurrent runs',
      (each) => [[{}, each.waiting]],
    ),
    gauge(
      'assay_queue_jobs',
      'Queue jobs, by state',
      ({ jobs }) => Object.entries(jobs).map(([state, count]) => [{ state }, count]),
      ['state'],
    ),
  ];
}
