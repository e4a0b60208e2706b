import {
  cappedProgram,
  type CappedSolution,
  type CappedVerdict,
} from '#lib/numerics/optimisation/capped-program.ts';
import { valueOf } from '#lib/numerics/optimisation/linear-range.ts';
import { maximumSharpe } from '#lib/numerics/optimisation/maximum-sharpe.ts';
import {
  portfolioPolyhedron,
  type PortfolioPolyhedron,
} from '#lib/numerics/optimisation/portfolio-polyhedron.ts';
import { multiply } from '#lib/numerics/optimisation/portfolio-program.ts';
import type { AllocationProblem, AllocationVerdict, ShadowPrice } from './allocation-problem.ts';
import { conflictOf } from './conflict-of.ts';
import { constraintsOf, hasSlope, rowsOf } from './constraints-of.ts';
import { refused } from './construction-refusal.ts';
import { volatilityOf } from './measures.ts';
import { allocateByTail, isTail } from './allocate-by-tail.ts';
import { isRule, ruleWeights } from './rule-weights.ts';

/** Tolerance within which the weights of a rule satisfy a constraint. */
const DISTANCE = 1e-9;
/** Shadow prices of at most this size are rounding errors and are left out. */
const PRICE_MIN = 1e-10;

/**
 * Chooses the weights of a problem. If the weights of a rule violate a constraint, the result is the feasible weights
 * with the smallest tracking error against the weights of the rule.
 *
 * Returns the verdict `infeasible` or `cap_infeasible` if no weights satisfy the constraints. Throws the
 * refusal `not_identifiable` for a singular covariance matrix, and `no_excess_return` if no feasible
 * portfolio has an expected return above the risk-free rate.
 */
export function allocate(problem: AllocationProblem): AllocationVerdict {
  const { objective, limits } = problem;
  if (limits.lower.some((min, k) => min > limits.upper[k]!)) return { ok: false, reason: 'infeasible' };
  if (isTail(objective)) return allocateByTail(problem, prepared(problem), objective);
  if (!isRule(objective)) return solve(problem, objectiveVerdict(problem));
  const target = ruleWeights(objective, problem).map((weight) => weight * problem.budget);
  if (!problem.terms.some(({ sale }) => hasSlope(sale)) && isFeasible(problem, target)) {
    const allocation = { weights: target, prices: [], kktResidual: null, isAdjusted: false };
    return { ok: true, allocation };
  }
  const polyhedron = prepared(problem);
  const verdict = cappedProgram(polyhedron, towards(problem, target), problem.caps);
  const solved = solve(problem, verdict);
  return solved.ok ? { ok: true, allocation: { ...solved.allocation, isAdjusted: true } } : solved;
}

/** Prepares the constraints of a problem. Refuses a singular covariance matrix. */
export function prepared(problem: AllocationProblem): PortfolioPolyhedron {
  const verdict = portfolioPolyhedron(problem.elements, constraintsOf(problem));
  if (verdict.ok) return verdict.polyhedron;
  const symbol = problem.symbols[verdict.at % problem.symbols.length]!;
  const detail = `The returns of ${symbol} are a linear combination of the returns of other symbols, so the weights are not unique. Exclude the symbol, or use the estimator ledoit_wolf.`;
  throw refused('not_identifiable', detail, { symbols: [symbol], observed: verdict.pivot, needed: 1e-12 });
}

type Verdict = CappedVerdict | { ok: false; reason: 'no_excess_return'; largest: number };

function objectiveVerdict(problem: AllocationProblem): Verdict {
  const { objective, means, riskFree, volatilities, caps } = problem;
  const polyhedron = prepared(problem);
  const nothing = new Float64Array(problem.symbols.length);
  const variance = { risk: 2, linear: nothing, costWeight: 1 };
  const negative = () => means!.map((mean) => -mean);
  switch (objective.kind) {
    case 'minimum_variance':
    case 'target_return':
      return cappedProgram(polyhedron, variance, caps);
    case 'mean_variance': {
      const utility = { risk: objective.risk_aversion, linear: negative(), costWeight: 1 };
      return cappedProgram(polyhedron, utility, caps);
    }
    case 'target_volatility': {
      const target = { reference: nothing, max: objective.target, pointer: '/objective/target' };
      return cappedProgram(polyhedron, { risk: 0, linear: negative(), costWeight: 1 }, [...caps, target]);
    }
    case 'minimum_tracking_error':
      return cappedProgram(polyhedron, towards(problem, problem.benchmark!), caps);
    case 'maximum_sharpe':
      return maximumSharpe(polyhedron, { means: means!, riskFree, caps });
    case 'maximum_diversification':
      return maximumSharpe(polyhedron, { means: volatilities, riskFree: 0, isNetOfCosts: false, caps });
    default:
      throw new Error(`the objective ${objective.kind} has no quadratic programme`);
  }
}

/** Returns the objective (w - target)'S(w - target) plus the costs. A constant term is left out. */
function towards({ elements }: AllocationProblem, target: Float64Array) {
  return { risk: 2, linear: multiply(elements, target).map((each) => -2 * each), costWeight: 1 };
}

function solve(problem: AllocationProblem, verdict: Verdict): AllocationVerdict {
  if (verdict.ok) {
    const { solution } = verdict;
    const prices = namedPrices(problem, solution);
    const { weights, kktResidual } = solution;
    return { ok: true, allocation: { weights, prices, kktResidual, isAdjusted: false } };
  }
  switch (verdict.reason) {
    case 'infeasible':
      return { ok: false, reason: 'infeasible' };
    case 'cap_infeasible': {
      const { objective, caps, symbols } = problem;
      const target = objective.kind === 'target_volatility' ? objective.target : Number.NaN;
      const last = { reference: new Float64Array(symbols.length), max: target, pointer: '/objective/target' };
      return {
        ok: false,
        reason: 'cap_infeasible',
        cap: caps[verdict.cap] ?? last,
        smallest: verdict.smallest,
      };
    }
    case 'no_excess_return': {
      const detail = `No portfolio within the limits has an expected return above the risk-free rate of ${problem.riskFree}. The largest excess return is ${verdict.largest}.`;
      throw refused('no_excess_return', detail, { observed: verdict.largest, needed: 0 });
    }
    case 'not_solved':
      if (conflictOf(problem)) return { ok: false, reason: 'infeasible' };
      throw new Error(`the objective ${problem.objective.kind} was not solved`);
  }
}

function namedPrices(problem: AllocationProblem, { shadowPrices, caps }: CappedSolution): ShadowPrice[] {
  const { limits, symbols } = problem;
  const { budget, rows, bounds, absolutes } = shadowPrices;
  const named: ShadowPrice[] = [{ pointer: '/constraints/cash_min', symbol: null, shadowPrice: -budget }];
  rowsOf(problem).forEach(({ pointer }, k) => named.push({ pointer, symbol: null, shadowPrice: rows[k]! }));
  const limited = absolutes.find((price) => price !== 0);
  if (limited !== undefined)
    named.push({ pointer: '/constraints/turnover_max', symbol: null, shadowPrice: limited });
  caps.forEach(({ multiplier, volatility }, k) =>
    // The multiplier is the derivative of the objective with respect to half the squared volatility. Multiplied by the
    // volatility, it is the derivative with respect to the volatility: the shadow price.
    named.push({
      pointer: problem.caps[k]?.pointer ?? '/objective/target',
      symbol: null,
      shadowPrice: -multiplier * volatility,
    }),
  );
  bounds.forEach((price, k) => {
    const pointer = price > 0 ? limits.lowerPointers[k]! : limits.upperPointers[k]!;
    named.push({ pointer, symbol: symbols[k]!, shadowPrice: price });
  });
  return named.filter(({ shadowPrice }) => Math.abs(shadowPrice) > PRICE_MIN && Number.isFinite(shadowPrice));
}

function isFeasible(problem: AllocationProblem, weights: Float64Array): boolean {
  const { limits, caps, covariance, terms, before } = problem;
  const meets = (value: number, min: number, max: number) =>
    value >= min - DISTANCE && value <= max + DISTANCE;
  let turnover = 0;
  for (let k = 0; k < weights.length; k += 1) turnover += Math.abs(weights[k]! - before[k]!);
  return (
    weights.every((weight, k) => meets(weight, limits.lower[k]!, limits.upper[k]!)) &&
    rowsOf(problem).every(({ range }) => meets(valueOf(range, weights), range.min, range.max)) &&
    meets(turnover, 0, terms[0]?.max ?? Infinity) &&
    caps.every(({ reference, max }) => volatilityOf(covariance, weights, reference) <= max + DISTANCE)
  );
}
