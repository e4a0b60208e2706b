import type { Log } from '#lib/core/log.ts';
import { withSpan } from '#lib/core/tracing.ts';
import type { Metrics } from '#lib/ops/metrics.ts';
import type { Ticket } from '#lib/pipeline/queue.ts';

/**
 * How an attempt at a run ended. `ended_before`: the run had ended before the delivery; `retried`: the queue will
 * deliver the run again; `divided`: the run's parts were queued and the run waits for them; `kept`: one of the run's
 * parts was computed and stored; `orphaned`: a part was not computed, because parts of earlier rounds are no longer
 * stored, and the run will queue them again.
 */
export type JobOutcome =
  | 'sealed'
  | 'refused'
  | 'cancelled'
  | 'timed_out'
  | 'ended_before'
  | 'retried'
  | 'failed'
  | 'divided'
  | 'kept'
  | 'orphaned';

/** The report of one attempt at a run, for one line of the log and the metrics. */
export type Report = {
  kind: string;
  ticket: Ticket;
  started: number;
  outcome: JobOutcome;
  attempt?: number;
  requestId?: string;
  /** The code of the refusal. */
  code?: string;
  error?: unknown;
  /** The duration of each finished phase, in milliseconds. */
  phases: Record<string, number>;
};

type Sinks = { log: Log; metrics: Pick<Metrics, 'jobSeconds' | 'jobOutcomes' | 'jobRetries'> };

const levels: Record<JobOutcome, 'info' | 'warn' | 'error'> = {
  sealed: 'info',
  divided: 'info',
  kept: 'info',
  orphaned: 'warn',
  refused: 'info',
  cancelled: 'info',
  ended_before: 'info',
  timed_out: 'warn',
  retried: 'warn',
  failed: 'error',
};

export function startReport({ log }: Sinks, kind: string, ticket: Ticket): Report {
  log.debug({ run: ticket.uid, job: kind }, 'job started');
  return { kind, ticket, started: performance.now(), outcome: 'failed', phases: {} };
}

/**
 * Runs one phase of an attempt in its own trace span, and adds the duration to the duration of earlier phases with this
 * name.
 */
export function phase<T>(report: Report, name: string, work: () => Promise<T>): Promise<T> {
  const started = performance.now();
  return withSpan(name, {}, work).finally(() => {
    report.phases[name] = (report.phases[name] ?? 0) + performance.now() - started;
  });
}

export function closeReport({ log, metrics }: Sinks, report: Report): void {
  const { kind, outcome, ticket, phases, attempt } = report;
  const total = performance.now() - report.started;
  metrics.jobOutcomes.inc({ kind, outcome });
  if (attempt !== undefined && attempt > 1) metrics.jobRetries.inc({ kind });
  for (const [name, ms] of Object.entries({ ...phases, total })) {
    metrics.jobSeconds.observe({ kind, phase: name }, ms / 1_000);
  }
  log[levels[outcome]](
    {
      run: ticket.uid,
      job: kind,
      workspace: ticket.workspace,
      request_id: report.requestId,
      attempt,
      outcome,
      code: report.code,
      ...Object.fromEntries(Object.entries(phases).map(([name, ms]) => [`${name}_ms`, rounded(ms)])),
      ms: rounded(total),
      ...(report.error === undefined ? {} : { err: report.error }),
    },
    'job',
  );
}

function rounded(ms: number): number {
  return Math.round(ms * 10) / 10;
}
