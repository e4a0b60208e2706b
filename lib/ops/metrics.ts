import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import type { PoolUse } from '#lib/database/orm.ts';

const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const JOB_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600];
const NANOSECONDS = 1e9;

export type Metrics = ReturnType<typeof createMetrics>;

/**
 * Creates all metrics of a process. Each process exports every metric name, and a value for each metric that it
 * measures. Labels have few values and never identify a workspace, a run or a person.
 */
export function createMetrics(poolUse: () => PoolUse) {
  const registers = [new Registry()];
  const [registry] = registers as [Registry];
  collectDefaultMetrics({ register: registry, prefix: 'assay_' });
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  return {
    registry,
    eventLoopLag: new Gauge({
      name: 'assay_event_loop_lag_seconds',
      help: '99th percentile of the event loop delay since the last scrape, in seconds',
      registers,
      collect() {
        this.set(delay.percentile(99) / NANOSECONDS);
        delay.reset();
      },
    }),
    databaseConnections: new Gauge({
      name: 'assay_database_connections',
      help: 'Database connections in the pool, by state; the state `waiting` counts requests that wait for a connection',
      labelNames: ['state'],
      registers,
      collect() {
        for (const [state, count] of Object.entries(poolUse())) this.set({ state }, count);
      },
    }),
    httpRequests: new Counter({
      name: 'assay_http_requests_total',
      help: 'Answered requests',
      labelNames: ['operation', 'method', 'status'],
      registers,
    }),
    httpSeconds: new Histogram({
      name: 'assay_http_request_duration_seconds',
      help: 'Time from the request to the answer, in seconds, including waits for runs',
      labelNames: ['operation', 'method'],
      buckets: REQUEST_SECONDS,
      registers,
    }),
    rateCountsAway: new Counter({
      name: 'assay_rate_counts_away_total',
      help: 'Rate limit checks that were counted only in this process, because the shared counter did not answer',
      registers,
    }),
    jobSeconds: new Histogram({
      name: 'assay_job_duration_seconds',
      help: 'Duration of a job attempt, in seconds, by phase: load, divide, compute, keep, seal, total',
      labelNames: ['kind', 'phase'],
      buckets: JOB_SECONDS,
      registers,
    }),
    jobOutcomes: new Counter({
      name: 'assay_job_outcomes_total',
      help: 'Ended job attempts, by outcome',
      labelNames: ['kind', 'outcome'],
      registers,
    }),
    jobRetries: new Counter({
      name: 'assay_job_retries_total',
      help: 'Job attempts after the first attempt',
      labelNames: ['kind'],
      registers,
    }),
    jobStalled: new Counter({
      name: 'assay_job_stalled_total',
      help: 'Jobs taken over from a worker that died or hung',
      labelNames: ['queue'],
      registers,
    }),
    seals: new Counter({
      name: 'assay_seals_total',
      help: 'Sealed results',
      labelNames: ['kind'],
      registers,
    }),
    dispatchedAgain: new Counter({
      name: 'assay_runs_dispatched_again_total',
      help: 'Runs that the scheduler dispatched again because they had no live queue job',
      registers,
    }),
  };
}
