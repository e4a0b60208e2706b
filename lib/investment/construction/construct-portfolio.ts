import { allocateWithCosts, type TradingTerms } from './allocate-with-costs.ts';
import type { AllocationProblem } from './allocation-problem.ts';
import type { ConstructionInput } from './construction-input.ts';
import { ConstructionRefused, type ConstructionRefusal } from './construction-refusal.ts';
import type { Covariance } from './covariance.schema.ts';
import type { ConstructionResult } from './construction-result.schema.ts';
import { constructionResult } from './construction-result.ts';
import { prepareConstruction, type Construction } from './construction.ts';
import { explainInfeasible } from './explain-infeasible.ts';
import { limitPositions, type LimitedVerdict, POSITION_MIN } from './limit-positions.ts';
import { costModel, lotStretches, ratesOf } from './trade-costs.ts';
import { weightLimits } from './weight-limits.ts';

export type ConstructionOutcome =
  | {
      ok: true;
      result: ConstructionResult;
      /** The annual covariance matrix, row by row. `covariance_sha256` is the hash of this object. */
      covariance: Covariance;
    }
  | { ok: false; refusal: ConstructionRefusal };

/**
 * Constructs a portfolio: estimates the risk, chooses the weights of the objective within the limits, and
 * lists the trades that lead to them. The function places no orders. The order of assets, holdings and
 * members has no effect, because symbols are sorted in code-unit order.
 *
 * Units: rates of the request and the result are annual fractions; weights are shares of the value. Refuses with one of
 * the codes `constraints_infeasible`, `no_excess_return`, `returns_required`, `not_identifiable`, `currencies_mixed`,
 * `market_history_insufficient`, `too_large` or `validation_failed`, without partial results.
 */
export function constructPortfolio(input: ConstructionInput): ConstructionOutcome {
  try {
    const construction = prepareConstruction(input);
    return { ok: true, ...constructionResult(construction, solveConstruction(construction)) };
  } catch (error) {
    if (error instanceof ConstructionRefused) return { ok: false, refusal: error.refusal };
    throw error;
  }
}

/**
 * Chooses the weights of a prepared construction within all limits, including those on turnover, positions and realised
 * gains. Throws a refusal if no weights satisfy them.
 */
export function solveConstruction(
  construction: Construction,
): LimitedVerdict & { problem: AllocationProblem } {
  const { constraints, problem, market } = construction;
  const terms = tradingTerms(construction);
  let last = problem;
  const solved = limitPositions(
    (held) => {
      const limits = weightLimits(constraints, market, held);
      const permitted = problem.symbols.flatMap((symbol, k) =>
        limits.lower[k] === 0 && limits.upper[k] === 0 && !(held?.has(symbol) ?? false) ? [] : [k],
      );
      last = { ...problem, limits, permitted };
      return allocateWithCosts(last, terms);
    },
    {
      symbols: problem.symbols,
      most: constraints.positions_max,
      isFixed: (k) => problem.limits.lower[k]! > 0,
      meetsMinimums: (weights) => {
        const held = new Set(problem.symbols.filter((_, k) => Math.abs(weights[k]!) > POSITION_MIN));
        const { lower } = weightLimits(constraints, market, held);
        return weights.every((weight, k) => weight >= lower[k]! - POSITION_MIN);
      },
    },
  );
  if (!solved.verdict.ok) {
    throw explainInfeasible(withTerms(last, terms), solved.verdict, {
      outsideTurnover: construction.outside.turnover,
      gainMax: construction.tax?.realised_gain_max_minor ?? null,
      gainMinor: (share) => share * Number(construction.position.valueMinor) + construction.outside.gainMinor,
    });
  }
  return { ...solved, problem: last };
}

/** Makes the limit on the turnover the only term of the problem, so that a conflict can name this limit. */
function withTerms(problem: AllocationProblem, { turnoverMax }: TradingTerms): AllocationProblem {
  if (turnoverMax === undefined) return { ...problem, terms: [] };
  return { ...problem, terms: [{ from: problem.before, max: turnoverMax }] };
}

function tradingTerms(construction: Construction): TradingTerms {
  const { constraints, costs, tax, isRule, outside, position, problem, input } = construction;
  const { turnover_max } = constraints;
  const { minorDigits } = input;
  const rates = tax ? ratesOf(tax) : null;
  return {
    model: costModel(costs, construction.assets, {
      volatilities: problem.volatilities,
      position,
      minorDigits,
    }),
    costAversion: isRule ? 0 : (costs.aversion ?? 1),
    taxAversion: isRule ? 0 : (tax?.aversion ?? 1),
    turnoverMax: turnover_max === undefined ? undefined : turnover_max - outside.turnover,
    stretchesAt: (gainPrice) =>
      rates ? lotStretches(position, { rates, minorDigits, gainPrice }) : position.holdings.map(() => []),
    gainMax:
      tax?.realised_gain_max_minor === undefined
        ? undefined
        : (tax.realised_gain_max_minor - outside.gainMinor) / Number(position.valueMinor),
  };
}
