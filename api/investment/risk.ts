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
    'Applies the past returns of the window to the positions on the as-of date. The answer has the volatility, the value at risk and expected shortfall by calculation method, drawdowns and concentration. Returns are computed from adjusted closes, and values from closes. With `basis=realised`, the figures are computed from the past returns of the portfolio as it was held. Without `portfolio`, the answer has one row for each of at most 50 portfolios. Nothing is stored. More than 500 positions or 2,520 returns are refused with `too_large`; use POST /investment/risk-reports instead. The ETag is the hash of all inputs, so a repeated read with `If-None-Match` needs no computation.',
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
  async handle({ services, caller, query, held, signal, fail }) {
    const asOf = checkedAsOf(query.as_of, services.clock) ?? utcDate(services.clock.now());
    const chosen = riskOptions(query);
    if (!chosen.ok) throw invalid(chosen.faults);
    const { portfolio, benchmark } = query;
    // Without `portfolio`, the answer is a list with one row per portfolio. These rows have no optional
    // parts, so `include` is ignored.
    const options = portfolio === undefined ? { ...chosen.options, include: [] } : chosen.options;
    const data = await services.query(riskAnswerData, { portfolio, asOf, options, benchmark });
    const answer = await computeInThread<RiskAnswerInput, RiskAnswer>(
      file,
      { data, isOne: portfolio !== undefined, release: version, held },
      { workspace: caller.workspace, signal },
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
