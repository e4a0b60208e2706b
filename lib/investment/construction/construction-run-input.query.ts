import { compareText } from '#lib/core/compare-text.ts';
import { sql } from 'kysely';
import { Value } from 'typebox/value';
import { utcDate } from '#lib/core/clock.ts';
import { type Fault, invalid, Problem } from '#lib/core/problem.ts';
import { currentRevisions } from '#lib/data/dataset.query.ts';
import { type Em, tenantOf } from '#lib/database/base.ts';
import { pinPortfolio } from '../portfolios/pinned-portfolio.query.ts';
import type { KnownPortfolio } from '../portfolios/portfolio.query.ts';
import { type BenchmarkQuestion, chosenBenchmark } from '../risk/chosen-benchmark.query.ts';
import { isFactorRunBy, latestFactorRun } from '../theme-factors/factor-run.query.ts';
import { Constraints } from './construction-constraints.schema.ts';
import { Costs, Tax } from './construction-costs.schema.ts';
import type { Objective, Returns } from './construction-objective.schema.ts';
import type { ConstructionRequest, ConstructionRunInput } from './construction-run.schema.ts';

const WINDOWS = { daily: 252, monthly: 60 };

/**
 * Returns the input of a construction: the request with every default filled in, and the data that the run may read.
 */
export async function constructionInput(em: Em, request: ConstructionRequest, now: Date) {
  const today = utcDate(now);
  const faults = faultsOf(request, today);
  if (faults.length) throw invalid(faults);
  const { as_of: asOf = today, excluded = [], costs, tax } = request;
  const returns = filledReturns(request.returns ?? { kind: 'none' });
  const { portfolio, pinned } = await pinPortfolio(em, request.portfolio, asOf);
  const revisions = await currentRevisions(em);
  const risk = await riskOf(em, request.risk, asOf);
  const input: ConstructionRunInput = {
    ...pinned,
    as_of: asOf,
    universe: request.universe ?? { kind: 'holdings' },
    excluded: excluded.toSorted(compareText),
    objective: filledObjective(request.objective ?? { kind: 'minimum_variance' }),
    returns,
    feature: await featureOf(em, returns),
    risk_free: request.risk_free ?? 0,
    ...(await benchmarkOf(em, { ...request, portfolio }, { asOf, frequency: risk.frequency, revisions })),
    risk,
    constraints: Value.Default(Constraints, request.constraints ?? {}) as Constraints,
    costs: costs === undefined ? null : (Value.Default(Costs, costs) as Costs),
    tax: tax === undefined ? null : (Value.Default(Tax, tax) as Tax),
    frontier_points: request.frontier_points ?? 0,
    cash_added_minor: request.cash_added_minor ?? 0,
  };
  return { input, datasetRevisions: revisions };
}

function faultsOf({ as_of: asOf, risk = {} }: ConstructionRequest, today: string): Fault[] {
  const faults: Fault[] = [];
  const add = (pointer: string, code: string, message: string) =>
    faults.push({ pointer, in: 'body', code, message });
  if (asOf !== undefined && asOf > today) add('/as_of', 'in_future', `must not be after today, ${today}`);
  const { estimator = 'ledoit_wolf' } = risk;
  if (risk.half_life !== undefined && estimator !== 'ewma')
    add('/risk/half_life', 'unsupported', 'is allowed only with the estimator ewma');
  if (risk.factor_run_uid !== undefined && estimator !== 'factor_run')
    add('/risk/factor_run_uid', 'unsupported', 'is allowed only with the estimator factor_run');
  return faults;
}

function filledObjective(objective: Objective): Objective {
  const { kind } = objective;
  return kind === 'minimum_cvar' || kind === 'minimum_cdar' ? { level: 0.95, ...objective } : objective;
}

function filledReturns(returns: Returns): Returns {
  if (returns.kind !== 'black_litterman') return returns;
  const views = returns.views.map((view) =>
    view.variance === undefined ? { confidence: 0.5, ...view } : view,
  );
  return { tau: 0.05, risk_aversion: 2.5, ...returns, views };
}

async function riskOf(
  em: Em,
  { estimator = 'ledoit_wolf', frequency = 'daily', ...risk }: NonNullable<ConstructionRequest['risk']> = {},
  asOf: string,
): Promise<ConstructionRunInput['risk']> {
  const { window = WINDOWS[frequency] } = risk;
  return {
    estimator,
    frequency,
    window,
    half_life: estimator === 'ewma' ? (risk.half_life ?? window / 4) : null,
    factor_run_uid: estimator === 'factor_run' ? await factorRunOf(em, risk.factor_run_uid, asOf) : null,
  };
}

async function factorRunOf(em: Em, uid: string | undefined, asOf: string): Promise<string> {
  if (uid === undefined) {
    const latest = await latestFactorRun(em, asOf);
    if (latest !== undefined) return latest;
    throw new Problem(
      'factor_run_ineligible',
      `There is no sealed theme factor run as of ${asOf} or earlier.`,
    );
  }
  if (await isFactorRunBy(em, uid, asOf)) return uid;
  const detail = `The run ${uid} is not a sealed theme factor run of this environment as of ${asOf} or earlier.`;
  throw new Problem('factor_run_ineligible', detail);
}

type SealedBenchmark = Pick<ConstructionRunInput, 'benchmark' | 'benchmark_portfolio'>;

/**
 * Returns the benchmark weights of the request. Without benchmark weights, returns the benchmark of the portfolio's
 * terms, if the request needs a benchmark.
 */
async function benchmarkOf(
  em: Em,
  {
    objective,
    constraints,
    returns,
    benchmark,
    portfolio,
  }: Omit<ConstructionRequest, 'portfolio'> & { portfolio: KnownPortfolio },
  market: Pick<BenchmarkQuestion, 'asOf' | 'frequency' | 'revisions'>,
): Promise<SealedBenchmark> {
  if (benchmark) return { benchmark };
  const isNeeded =
    objective?.kind === 'minimum_tracking_error' ||
    constraints?.tracking_error_max !== undefined ||
    (returns?.kind === 'black_litterman' && returns.market_weights === undefined);
  if (!isNeeded) return { benchmark: null };
  const { symbol, portfolio: other } = await chosenBenchmark(em, portfolio, {
    ...market,
    named: undefined,
    in: 'body',
  });
  if (other) {
    const { pinned } = await pinPortfolio(em, other.uid, market.asOf);
    return { benchmark: null, benchmark_portfolio: pinned };
  }
  return { benchmark: symbol === null ? null : { [symbol]: 1 } };
}

/** Returns the version and the last revision of the feature from which expected returns are computed. */
async function featureOf(em: Em, returns: Returns): Promise<ConstructionRunInput['feature']> {
  if (returns.kind !== 'feature') return null;
  const { key, version } = returns;
  const { rows } = await sql<{ id: number; revision: number }>`
    select v.id, coalesce((select max(o.revision) from feature_value o where o.feature_version_id = v.id), 0)::int
      as revision
    from feature f join feature_version v on v.feature_uid = f.uid
    where f.workspace_uid = ${tenantOf(em).workspace} and f.key = ${key} and v.version = ${version}
  `.execute(em.getKysely());
  const [found] = rows;
  if (found) return { version_id: found.id, revision: found.revision };
  const message = `is not a feature of the workspace that has a version ${version}`;
  throw invalid([{ pointer: '/returns/key', in: 'body', code: 'unknown', message }]);
}
