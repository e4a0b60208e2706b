import Type from 'typebox';
import { utcDate } from '#lib/core/clock.ts';
import { version } from '#lib/core/version.ts';
import type { RiskAnswer, RiskAnswerInput } from '#lib/investment/risk/risk-answer.compute.ts';
import { riskAnswerData } from '#lib/investment/risk/risk-answer.query.ts';
import { riskOptions, RiskQuery } from '#lib/investment/risk/risk-request.schema.ts';
import { RiskResult, RiskSummary } from '#lib/investment/risk/risk-result.schema.ts';
import { checkedAsOf } from '../as-of.ts';
import { computeInThread } from '../compute.ts';
import { invalid } from '../derive/router.ts';
import { defineConditional } from '../services.ts';

const file = new URL('../../lib/investment/risk/risk-answer.compute.ts', import.meta.url);

export const getRisk = defineConditional({
  key: 'investment.risk.get',
  product: 'Investment analytics',
  method: 'GET',
  path: '/investment/risk',
  scope: 'investment:read',
  summary: 'Computes the risk of a portfolio, or a summary row for each portfolio.',
  description:
    'The positions of the as-of date are held against the returns of the window: volatility, value at risk and expected ' +
    'shortfall by convention, drawdowns and concentration. Returns are of adjusted closes, values of closes. Without ' +
    '`portfolio`, there is one row for each portfolio, of at most 50. Nothing is stored. A portfolio of more than 500 ' +
    'positions or 2,520 returns is refused with `too_large`; POST /investment/risk-reports computes and seals it. ' +
    'The ETag is the hash of all inputs, so that an unchanged answer costs no computation.',
  query: RiskQuery,
  success: {
    status: 200,
    description: 'The risk of the portfolio, or a summary.',
    schema: Type.Union([RiskResult, RiskSummary]),
  },
  problems: [
    'not_found',
    'portfolio_inconsistent',
    'too_large',
    'currencies_mixed',
    'market_history_insufficient',
    'not_identifiable',
    'too_many_waiting',
  ],
  async handle({ services, query, held, signal, fail }) {
    const asOf = checkedAsOf(query.as_of, services.clock) ?? utcDate(services.clock.now());
    const chosen = riskOptions(query);
    if (!chosen.ok) throw invalid(chosen.faults);
    const { portfolio, benchmark } = query;
    // A row of a portfolio has no parts.
    const options = portfolio === undefined ? { ...chosen.options, include: [] } : chosen.options;
    const data = await services.query(riskAnswerData, { portfolio, asOf, options, benchmark });
    if (portfolio !== undefined && benchmark !== undefined) requirePrices(data.prices, benchmark);
    const answer = await computeInThread<RiskAnswerInput, RiskAnswer>(
      file,
      { data, isOne: portfolio !== undefined, release: version, held },
      signal,
    );
    const { validator } = answer;
    switch (answer.state) {
      case 'held':
        return { unchanged: validator };
      case 'inconsistent':
        return fail('portfolio_inconsistent', answer.detail);
      case 'refused': {
        const { code, detail, members } = answer.refusal;
        return fail(code, detail, { members });
      }
      case 'one':
        return { status: 200, validator, body: answer.result };
      case 'summary':
        return { status: 200, validator, body: { as_of: asOf, portfolios: answer.rows } };
    }
  },
});

/** Refuses a benchmark that the caller names and that has no prices, such as the key of a portfolio. */
function requirePrices(prices: readonly { symbol: string }[], benchmark: string): void {
  if (prices.some(({ symbol }) => symbol === benchmark)) return;
  const message = 'has no prices in the window; name a symbol of the market data';
  throw invalid([{ pointer: '/benchmark', in: 'query', code: 'no_prices', message }]);
}
