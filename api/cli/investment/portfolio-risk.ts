import { Option, type Command } from 'commander';
import { systemClock, utcDate } from '#lib/core/clock.ts';
import { isDate } from '#lib/core/date.ts';
import { Refusal } from '#lib/core/refusal.ts';
import { version } from '#lib/core/version.ts';
import type { Tenant } from '#lib/database/base.ts';
import type { RiskAnswer, RiskAnswerInput } from '#lib/investment/risk/risk-answer.compute.ts';
import { riskAnswerData } from '#lib/investment/risk/risk-answer.query.ts';
import { FREQUENCIES, type Frequency, RISK_LIMITS } from '#lib/investment/risk/risk-limits.ts';
import {
  riskBases,
  type RiskOptions,
  riskOptions,
  WINDOW_MIN,
} from '#lib/investment/risk/risk-request.schema.ts';
import type { RiskResult } from '#lib/investment/risk/risk-result.schema.ts';
import { closeComputing, computeInThread } from '../../compute.ts';
import { askIn } from '../shell/ask.ts';
import { print, printRows, type OutputOptions } from '../shell/output.ts';
import { inPlaceOf } from '../shell/place.ts';
import { wholeNumber } from '../shell/whole-number.ts';

type RiskCommandOptions = OutputOptions &
  Tenant & {
    asOf?: string;
    basis: RiskOptions['basis'];
    frequency: Frequency;
    window?: string;
    benchmark?: string;
  };

const file = new URL('../../../lib/investment/risk/risk-answer.compute.ts', import.meta.url);

export function registerRisk(group: Command): void {
  inPlaceOf(group.command('risk <portfolio>'), 'compute volatility, tail losses, drawdowns and contributions')
    .option('--as-of <date>', 'the day; only data known by its end (UTC) is used (default: today)')
    .addOption(
      new Option(
        '--basis <basis>',
        'the past returns: those of the current holdings, or of the portfolio as it was held',
      )
        .choices(riskBases)
        .default('current_holdings'),
    )
    .addOption(
      new Option('--frequency <period>', 'the period of a return: daily or monthly')
        .choices(Object.keys(FREQUENCIES))
        .default('daily'),
    )
    .option('--window <returns>', 'the number of returns (default: 252 daily or 60 monthly returns)')
    .option(
      '--benchmark <name>',
      'the symbol or portfolio that is the benchmark (default: the benchmark of the portfolio)',
    )
    .action(async (portfolio: string, options: RiskCommandOptions) => {
      const found = await riskOf(portfolio, options);
      if (options.json) return print(found, options);
      printRisk(found, options);
    });
}

/** Computes the response body of `GET /investment/risk` in a thread, as the API does. */
async function riskOf(
  portfolio: string,
  { workspace, environment, asOf = utcDate(systemClock.now()), ...options }: RiskCommandOptions,
): Promise<RiskResult> {
  if (!isDate(asOf) || asOf > utcDate(systemClock.now()))
    throw new Refusal('invalid_date', '--as-of takes a date YYYY-MM-DD that is not after today');
  const { basis, frequency, window: text, benchmark } = options;
  const window =
    text === undefined ? {} : { window: wholeNumber('--window', text, [WINDOW_MIN, RISK_LIMITS.days]) };
  const chosen = riskOptions({ basis, frequency, ...window, include: 'components' });
  if (!chosen.ok) throw new Error('the options of the command are valid');
  const question = { portfolio, asOf, options: chosen.options, benchmark };
  const data = await askIn({ workspace, environment }, riskAnswerData, question);
  try {
    const input: RiskAnswerInput = { data, isOne: true, release: version, held: [] };
    const answer = await computeInThread<RiskAnswerInput, RiskAnswer>(file, input, { workspace });
    if (answer.state === 'one') return answer.result;
    if (answer.state === 'refused') throw new Refusal(answer.refusal.code, answer.refusal.detail);
    if (answer.state === 'inconsistent') throw new Refusal('portfolio_inconsistent', answer.detail);
    throw new Error('a request for one portfolio must have one answer');
  } finally {
    await closeComputing();
  }
}

function printRisk(found: RiskResult, options: OutputOptions): void {
  const { performance, drawdowns, benchmark, coverage } = found;
  print(
    {
      portfolio: found.portfolio,
      as_of: found.as_of,
      basis: found.basis,
      returns: `${found.observations} ${found.frequency}, ${found.first_date} to ${found.last_date}`,
      value_minor: found.value_minor,
      currency: found.currency,
      volatility: rounded(found.volatility),
      ewma_volatility: rounded(found.ewma_volatility),
      annual_return: rounded(performance.annual_return),
      sharpe: rounded(performance.sharpe),
      maximum_drawdown: rounded(drawdowns.maximum),
      ...(benchmark && { benchmark: benchmark.symbol ?? benchmark.portfolio, beta: rounded(benchmark.beta) }),
      value_share_without_history: rounded(coverage.value_share_without_history),
    },
    options,
  );
  printRows(found.tail, options, ({ level, var: valueAtRisk, es, es_rockafellar_uryasev_minor: minor }) => ({
    level,
    var_historical: rounded(valueAtRisk.historical_type7),
    var_gaussian: rounded(valueAtRisk.gaussian),
    es_rockafellar_uryasev: rounded(es.rockafellar_uryasev),
    es_minor: minor,
  }));
  const { components } = found;
  if (!components) return;
  printRows([...components.symbols.keys()], options, (at) => ({
    symbol: components.symbols[at],
    weight: rounded(components.weights[at]!),
    share_of_volatility: rounded(components.volatility?.percent?.[at] ?? null),
    share_of_es: rounded(components.levels[0]?.es_rockafellar_uryasev?.percent?.[at] ?? null),
  }));
}

/** Rounds a figure for a table. JSON output contains all digits. */
function rounded(figure: number | null): string {
  return figure === null ? '' : figure.toFixed(4);
}
