import { utcDate } from '#lib/core/clock.ts';
import type {
  StrategyCheckAnswer,
  StrategyCheckInput,
} from '#lib/quant/strategies/strategy-check.compute.ts';
import { strategyCheckData } from '#lib/quant/strategies/strategy-check.query.ts';
import { StrategyCheck, StrategyCheckRequest } from '#lib/quant/strategies/strategy-check.schema.ts';
import { faultsUnder } from '#lib/quant/strategies/strategy-fault.ts';
import { familyOf } from '#lib/quant/strategies/strategy-family.ts';
import { resolveStrategy } from '#lib/quant/strategies/resolve-strategy.ts';
import { computeInThread } from '../compute.ts';
import { invalid } from '../derive/router.ts';
import { defineOperation } from '../services.ts';

const file = new URL('../../lib/quant/strategies/strategy-check.compute.ts', import.meta.url);

export const checkStrategy = defineOperation({
  key: 'quant.compute.strategies.check',
  product: 'Quant',
  method: 'POST',
  path: '/quant/compute/strategies/check',
  scope: 'quant:compute:run',
  addition: true,
  summary: 'Checks a strategy and explains one of its decisions.',
  description:
    'Binds the parameters, fills in every default, and reports all faults by JSON pointer. Then the operation reads the data that ' +
    'the strategy needs, makes the decision of the last session on or before `date`, starting from cash, and returns why each ' +
    'symbol is held or not. Use the check before a backtest. Nothing is stored, and no order is placed.',
  body: StrategyCheckRequest,
  success: { status: 200, description: 'The resolved strategy and its decision.', schema: StrategyCheck },
  problems: [
    'universe_empty',
    'look_ahead',
    'backtest_too_large',
    'currencies_mixed',
    'market_history_insufficient',
    'too_large',
    'too_many_waiting',
  ],
  async handle({ services, caller, body, signal, fail }) {
    const { date, asOf } = checkedDays(body, utcDate(services.clock.now()));
    const resolution = resolveStrategy(body.strategy, body.parameters);
    if (!resolution.ok) throw invalid(faultsUnder('/strategy', resolution.faults));
    const { strategy, parameters, replaced } = resolution;
    const read = await services.query(strategyCheckData, { strategy, date, asOf });
    if (!read.ok) throw invalid(faultsUnder('/strategy', read.faults));
    const answer = await computeInThread<StrategyCheckInput, StrategyCheckAnswer>(
      file,
      { strategy, parameters, family: familyOf(strategy, replaced), asOf, found: read.found },
      { workspace: caller.workspace, signal },
    );
    if (answer.ok) return { status: 200, body: answer.check };
    const { code, detail, members } = answer.refusal;
    return fail(code, detail, { members });
  },
});

/**
 * Returns the day of the decision and the as-of day. Refuses days in the future, and a decision after the as-of day.
 */
function checkedDays({ date, as_of: given }: StrategyCheckRequest, today: string) {
  const asOf = given ?? today;
  const message = (day: string) => `must not be after ${day}`;
  if (asOf > today)
    throw invalid([{ pointer: '/as_of', in: 'body', code: 'in_future', message: message(today) }]);
  if (date !== undefined && date > asOf)
    throw invalid([{ pointer: '/date', in: 'body', code: 'after_as_of', message: message(asOf) }]);
  return { date, asOf };
}
