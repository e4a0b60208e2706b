import { defineProduct } from '#lib/core/product.ts';

/** Runs, from their submission to the sealed result. */
export const pipeline = defineProduct({
  folder: 'pipeline',
  problems: {
    idempotency_in_progress: { status: 409, title: 'A request with this idempotency key is in progress' },
    run_not_cancellable: { status: 409, title: 'The run has already ended' },
    run_cancelled: { status: 409, title: 'The run was cancelled' },
    idempotency_key_reused: {
      status: 422,
      title: 'The idempotency key was already used with a different request',
    },
    not_identifiable: { status: 422, title: 'The data do not determine a unique result' },
    too_many_waiting: { status: 429, title: 'Too many requests are waiting at the same time' },
    queue_full: { status: 429, title: 'The queue of the workspace is full' },
    batch_too_large: { status: 422, title: 'The batch exceeds the queue limit of the workspace' },
    time_limit_exceeded: { status: 504, title: 'The run exceeded its time limit' },
  },
  tables: {
    run: {
      rows: 'environment',
      operator: 'select, insert, update (state, finished_at)',
      api: 'select, insert, update (state, finished_at)',
      worker: 'select, insert, update (state, progress, attempts, problem, started_at, finished_at)',
      console: 'select, insert, update (state, finished_at)',
    },
    run_result: { rows: 'environment', operator: 'select', api: 'select', worker: 'select, insert' },
    run_matrix: { rows: 'environment', operator: 'select', api: 'select', worker: 'select, insert' },
    /** Parts of a divided run. Workers store them for one another until the run ends. */
    run_part: { rows: 'environment', operator: 'select', api: 'select', worker: 'select, insert' },
    dispatch: {
      rows: 'environment',
      operator: 'select, insert, delete',
      api: 'select, insert, delete',
      worker: 'select, insert, delete, update (tag, started_at, attempt, round, round_first)',
      console: 'select, insert, delete',
    },
    /** Idempotency keys. The API replaces expired keys. */
    idempotency_key: {
      rows: 'environment',
      api: 'select, insert, update (fingerprint, run_uid, answer, created_at, expires_at)',
      worker: 'select, delete',
      console: 'select, insert, update (fingerprint, run_uid, answer, created_at, expires_at)',
    },
  },
  events: {
    'quant:compute:read': {
      'run.sealed': { about: 'A run ended and its result is sealed.', members: ['kind', 'result_hash'] },
      'run.failed': { about: 'A run was refused or failed.', members: ['problem'] },
      'run.cancelled': 'A run was cancelled.',
    },
  },
});
