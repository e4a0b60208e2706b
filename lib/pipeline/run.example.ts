import { summaryOf, type RunKind } from '#lib/core/run.ts';

type Members = Readonly<Record<string, unknown>>;

/**
 * Returns examples of a run in each of its forms, made from the sealed example of its kind. Returns no examples if the
 * kind has no sealed example.
 */
export function runExamples(job: RunKind): Record<'sealed' | 'open' | 'summary', { examples?: Members[] }> {
  const { example } = job;
  if (!example) return { sealed: {}, open: {}, summary: {} };
  const { uid, kind, model, input, input_hash, request_id, created_at, started_at, finished_at } = example;
  const record = { uid, kind, model, input_hash, request_id, created_at, started_at, attempts: 1 };
  return {
    sealed: { examples: [example] },
    open: {
      examples: [{ ...record, input, state: 'running', progress: 0.4, finished_at: null, problem: null }],
    },
    summary: {
      examples: [
        {
          ...record,
          ...summaryOf(job, input as Members),
          state: 'succeeded',
          progress: 1,
          finished_at,
          result_hash: example['result_hash'],
          problem: null,
        },
      ],
    },
  };
}

/** Example of a job that has succeeded. */
export const jobExample: Members = {
  uid: 'tfr_01M7YQ4MHGE6DBC6FJRVDWFN56',
  kind: 'investment.theme-factors',
  state: 'succeeded',
  progress: 1,
  attempts: 1,
  model: { key: 'svc_theme_factor_ridge_v1', version: '1.0.0' },
  input_hash: 'efc343e7c170f3498039a6d4d90239cddbe60ec8f8e9036685c2e404714ab0b1',
  result: {
    href: '/api/v2/investment/theme-watch/factors/tfr_01M7YQ4MHGE6DBC6FJRVDWFN56',
    hash: '00992807859bfc0a86c7da5c93a56d00dba5fdb671c6c11674aa63d4b576f3d1',
  },
  problem: null,
  request_id: 'req_01M7YQ4MGXF3SABFBB2ZJJ48P7',
  created_at: '2026-11-21T09:31:30.220Z',
  started_at: '2026-11-21T09:31:30.244Z',
  finished_at: '2026-11-21T09:31:30.415Z',
  waited_ms: 24,
  ran_ms: 171,
};
