import { problemBody, problems, type Fault, type ProblemCode } from '#lib/core/problem.ts';

const REQUEST_ID = 'req_01M7YQ4MGXF3SABFBB2ZJJ48P7';

type Said = { detail: string; members?: Record<string, unknown>; errors?: Fault[] };

/** The detail of the example of a problem code, for codes whose title does not explain enough. */
const said: Partial<Record<ProblemCode, Said>> = {
  insufficient_scope: {
    detail: 'This operation needs the scope investment:run.',
    members: { required_scope: 'investment:run' },
  },
  validation_failed: {
    detail: 'The request has one fault; see errors.',
    errors: [{ pointer: '/limit', in: 'query', code: 'maximum', message: 'must be <= 200' }],
  },
  invalid_cursor: {
    detail: 'The cursor was not issued for this list with these filters. Start again without a cursor.',
    errors: [
      { pointer: '/cursor', in: 'query', code: 'invalid_cursor', message: 'is not a cursor of this list' },
    ],
  },
  taxonomy_unavailable: {
    detail: 'No taxonomy version was published on or before 2009-12-31.',
    members: { observed: 0, needed: 1 },
  },
  taxonomy_exposure_insufficient: {
    detail: 'No theme has 10 symbols with enough market history. The largest number that any theme has is 7.',
    members: { observed: 7, needed: 10 },
  },
  drift_ineligible: {
    detail:
      'The drift cannot be assessed: the dataset has no column XOM; the dataset has 12 rows, but 30 are needed.',
    members: {
      reasons: ['columns_missing', 'rows_insufficient'],
      missing_columns: ['XOM'],
      observed: 12,
      needed: 30,
    },
  },
  constraints_infeasible: {
    detail:
      'No weights satisfy /constraints/cash_min, /constraints/weight/max together. For each of these constraints, `relax` gives the smallest change that resolves the conflict.',
    members: {
      conflict: ['/constraints/cash_min', '/constraints/weight/max'],
      relax: [{ pointer: '/constraints/weight/max', from: 0.01, to: 0.1, sufficient: true }],
    },
  },
  universe_empty: {
    detail:
      'No symbol meets the conditions of the universe on 2020-01-02. The first session with a symbol is 2020-02-03.',
    members: { first_date: '2020-02-03' },
  },
  look_ahead: {
    detail:
      'With a lag of 0, orders are filled at the close that the decision uses. Set schedule.lag to 1, or accept this with execution.same_bar.',
  },
  backtest_too_large: {
    detail: 'The schedule has 12000 decisions. At most 10080 are possible.',
    members: { observed: 12_000, needed: 10_080 },
  },
  returns_required: {
    detail:
      'The member /objective needs expected returns, and the request states none. Set the member returns.',
    errors: [{ pointer: '/returns', in: 'body', code: 'required', message: 'is needed by /objective' }],
  },
  too_many_waiting: {
    detail:
      '100 requests of the application are already waiting, which is the maximum. Read without `wait`, or retry later.',
    members: { bound: 'waits_of_application', limit: 100 },
  },
  queue_full: {
    detail:
      'The queue of the workspace holds 10000 runs, and this request adds 1. The service class standard allows 10000.',
    members: {
      bound: 'queued_runs',
      limit: 10_000,
      queued: 10_000,
      requested: 1,
      service_class: 'standard',
    },
  },
  market_history_insufficient: {
    detail:
      'Only 94 of the 180 months up to 2020-09-30 have enough observed symbols for an estimate; 144 are needed.',
    members: { observed: 94, needed: 144 },
  },
};

/** Returns an example problem of this code, as a caller receives it. */
export function problemExample(code: ProblemCode): { summary: string; value: unknown } {
  const { title } = problems[code];
  const { detail, members = {}, errors = [] } = said[code] ?? { detail: `${title}.` };
  return { summary: title, value: problemBody({ code, detail, members, errors }, REQUEST_ID) };
}
