import { compareText } from '#lib/core/compare-text.ts';
import { amountMinor } from '#lib/core/decimal.ts';
import { rowMajor } from '#lib/numerics/matrix.ts';
import type { AllocationProblem, NamedCap } from './allocation-problem.ts';
import type { Constraints } from './construction-constraints.schema.ts';
import type { Costs, Tax } from './construction-costs.schema.ts';
import type { ConstructionAsset, ConstructionInput } from './construction-input.ts';
import type { Objective } from './construction-objective.schema.ts';
import { fault, refused } from './construction-refusal.ts';
import { type Estimates, estimate } from './estimates.ts';
import { expectedReturns, sharesOf } from './expected-returns.ts';
import { type Position, positionOf } from './position.ts';
import { isTail } from './allocate-by-tail.ts';
import { isRule } from './rule-weights.ts';
import { weightLimits } from './weight-limits.ts';
import { groupRows } from './weight-rows.ts';

const VARIABLES_MAX = 3000;
const VALUE_MAX = 9_007_199_254_740_991n;

/** A construction in numbers: the request with its defaults, and the estimates and constraints. */
export type Construction = {
  input: ConstructionInput;
  /** The assets in code-unit order of their symbols. */
  assets: readonly ConstructionAsset[];
  objective: Objective;
  isRule: boolean;
  constraints: Constraints;
  costs: Costs;
  tax: Tax | null;
  estimates: Estimates;
  position: Position;
  problem: AllocationProblem;
  market: Parameters<typeof weightLimits>[1];
  /** Two-way turnover and realised gain from selling the holdings that are not eligible assets. */
  outside: { turnover: number; gainMinor: number };
};

const needsReturns = new Set(['maximum_sharpe', 'mean_variance', 'target_return', 'target_volatility']);

/** Prepares a construction. Throws a refusal if the construction is not possible. */
export function prepareConstruction(input: ConstructionInput): Construction {
  const { request } = input;
  const { objective = { kind: 'minimum_variance' }, constraints = {}, costs = {}, tax = null } = request;
  const { returns = { kind: 'none' }, risk_free: riskFree = 0 } = request;
  const assets = input.assets.toSorted((a, b) => compareText(a.symbol, b.symbol));
  const excluded = new Set(request.excluded ?? []);
  if (!assets.some(({ isEligible, symbol }) => isEligible && !excluded.has(symbol)))
    throw fault('/universe', 'empty', 'has no symbol that may be held');
  requireSize(input, assets);
  if (returns.kind === 'none') requireNoReturns(objective, request.frontier_points ?? 0);

  const position = positionOf(input, assets);
  if (position.valueMinor > VALUE_MAX)
    throw refused('too_large', 'The value of the portfolio is above 2^53 - 1 minor units.');
  const estimates = estimate(input, assets);
  const symbols = assets.map(({ symbol }) => symbol);
  const place = new Map(symbols.map((symbol, k) => [symbol, k]));
  const benchmark = benchmarkOf(input, place);
  const { feature, minorDigits } = input;
  const means = expectedReturns(returns, { symbols, estimates, riskFree, benchmark, feature });
  const { before, valueMinor } = position;
  const market = { assets, excluded, before, valueMinor, minorDigits };
  const limits = weightLimits(constraints, market, null);
  const problem: AllocationProblem = {
    symbols,
    objective,
    covariance: estimates.covariance,
    elements: rowMajor(estimates.covariance),
    volatilities: estimates.volatilities,
    series: estimates.series,
    means,
    riskFree,
    benchmark,
    before,
    budget: 1 - (constraints.cash_min ?? 0),
    limits,
    rows: groupRows(constraints, assets),
    caps: capsOf({ objective, constraints, benchmark, count: symbols.length }),
    terms: [],
    positionsMax: constraints.positions_max ?? null,
    permitted: [],
  };
  return {
    input,
    assets,
    objective,
    isRule: isRule(objective),
    constraints,
    costs,
    tax,
    estimates,
    position,
    problem,
    market,
    outside: outsideOf(position, minorDigits),
  };
}

function benchmarkOf(
  { benchmark, hasBenchmarkCash }: ConstructionInput,
  place: ReadonlyMap<string, number>,
): Float64Array | null {
  if (!benchmark) return null;
  if (!hasBenchmarkCash) return sharesOf(benchmark, place);
  return Float64Array.from(place.keys(), (symbol) => benchmark[symbol] ?? 0);
}

function requireSize({ request, holdings }: ConstructionInput, assets: readonly ConstructionAsset[]): void {
  const lots = request.tax ? holdings.reduce((sum, holding) => sum + holding.lots.length, 0) : 0;
  const variables = assets.length + lots;
  if (variables <= VARIABLES_MAX) return;
  const detail = `There are ${assets.length} symbols and ${lots} lots. Together at most ${VARIABLES_MAX} are allowed.`;
  throw refused('too_large', detail, { observed: variables, needed: VARIABLES_MAX });
}

function requireNoReturns({ kind }: Objective, points: number): void {
  const pointer = needsReturns.has(kind) ? '/objective' : points > 0 ? '/frontier_points' : null;
  if (pointer === null) return;
  const detail = `The member ${pointer} needs expected returns, and the request states none. Set the member returns.`;
  const errors = [{ pointer: '/returns', in: 'body', code: 'required', message: `is needed by ${pointer}` }];
  throw refused('returns_required', detail, { errors });
}

function capsOf({
  objective,
  constraints,
  benchmark,
  count,
}: {
  objective: Objective;
  constraints: Constraints;
  benchmark: Float64Array | null;
  count: number;
}): NamedCap[] {
  const { tracking_error_max, volatility_max } = constraints;
  const caps: NamedCap[] = [];
  if (tracking_error_max !== undefined || objective.kind === 'minimum_tracking_error') {
    if (!benchmark) {
      const by = tracking_error_max === undefined ? 'the objective' : '/constraints/tracking_error_max';
      throw fault('/benchmark', 'required', `is needed by ${by}, and must contain a symbol of the universe`);
    }
  }
  if (tracking_error_max !== undefined)
    caps.push({ reference: benchmark!, max: tracking_error_max, pointer: '/constraints/tracking_error_max' });
  if (volatility_max !== undefined) {
    const reference = new Float64Array(count);
    caps.push({ reference, max: volatility_max, pointer: '/constraints/volatility_max' });
  }
  if (caps.length > 0 && isTail(objective))
    throw fault(caps[0]!.pointer, 'unsupported', `cannot be combined with ${objective.kind}`);
  return caps;
}

function outsideOf({ outside, valueMinor }: Position, minorDigits: number): Construction['outside'] {
  let [turnover, gainMinor] = [0, 0];
  for (const { quantity, price, lots } of outside) {
    const amount = Number(amountMinor(quantity, price!, minorDigits));
    turnover += Math.abs(amount) / Number(valueMinor);
    for (const lot of lots)
      gainMinor += Number(amountMinor(lot.quantity, price!, minorDigits) - lot.basisMinor);
  }
  return { turnover, gainMinor };
}
