import type { Static } from 'typebox';
import { annualVolatility } from '#lib/numerics/risk/annual-volatility.ts';
import { mean } from '#lib/numerics/descriptive.ts';
import type { Ledger } from '#lib/numerics/backtesting/ledger.ts';
import { drawdownsOf, performanceOf } from '#lib/investment/risk/portfolio-risk.ts';
import type { BacktestResult } from './backtest-result.schema.ts';
import { returnsOf, type Simulated } from './simulated.ts';
import { periodReturns } from './period-returns.ts';

/** The members of a result that are computed from a single simulation of the strategy. */
export type BacktestReport = Pick<
  Static<typeof BacktestResult>,
  | 'first_date'
  | 'last_date'
  | 'sessions'
  | 'ended'
  | 'volatility'
  | 'performance'
  | 'drawdowns'
  | 'by_year'
  | 'by_month'
  | 'turnover'
  | 'costs'
  | 'income'
  | 'orders'
  | 'exposure'
  | 'curve'
>;

/**
 * Returns the figures of a backtest. Returns are simple returns of the sessions after the first one, and are
 * compounded. Amounts are in units of the currency.
 */
export function backtestReport(simulated: Simulated, periodsPerYear: number): BacktestReport {
  const { sessions, ledger } = simulated;
  const dates = [...sessions];
  const returns = returnsOf(simulated);
  const { filled, lapsed, capped, dividends, interest, bankruptAt } = ledger;
  return {
    first_date: dates[0]!,
    last_date: dates.at(-1)!,
    sessions: dates.length,
    ended: bankruptAt === null ? 'last_day' : 'bankrupt',
    volatility: annualVolatility(returns, periodsPerYear),
    performance: performanceOf(returns, periodsPerYear),
    drawdowns: drawdownsOf(returns, dates),
    by_year: periodReturns(dates.slice(1), returns, 4),
    by_month: periodReturns(dates.slice(1), returns, 7),
    turnover: { two_way_annual: turnover(simulated, periodsPerYear) },
    costs: costsOf(simulated),
    income: { dividends, interest },
    orders: { count: filled, lapsed, capped },
    exposure: exposureOf(simulated),
    curve: curveOf(ledger, dates),
  };
}

/** Returns the annual sum of purchases and sales as a share of the mean value; 0 if the mean is 0. */
function turnover({ ledger }: Simulated, periodsPerYear: number): number {
  const average = mean(ledger.value);
  return average > 0 ? (ledger.traded / average / ledger.value.length) * periodsPerYear : 0;
}

function costsOf({ ledger }: Simulated): BacktestReport['costs'] {
  const { commission, spread, impact, tax, borrow, withholding } = ledger.costs;
  const total = commission + spread + impact + tax + borrow + withholding;
  const gain = ledger.value.at(-1)! - ledger.value[0]! + total;
  return { ...ledger.costs, total, share_of_gross_return: gain > 0 ? total / gain : null };
}

function exposureOf({ ledger }: Simulated): BacktestReport['exposure'] {
  const { gross, net, cash, value, holdings } = ledger;
  const share = cash.map((amount, at) => {
    const whole = value[at]!;
    return whole > 0 ? amount / whole : 0;
  });
  const positions = holdings.map(({ quantity }) =>
    quantity.reduce((count, held) => count + (held === 0 ? 0 : 1), 0),
  );
  return {
    gross_mean: mean(gross),
    net_mean: mean(net),
    cash_mean: mean(share),
    positions_mean: positions.length === 0 ? 0 : mean(positions),
  };
}

function curveOf({ value, cash, gross, net }: Ledger, dates: string[]): BacktestReport['curve'] {
  return { date: dates, value: [...value], cash: [...cash], gross: [...gross], net: [...net] };
}
