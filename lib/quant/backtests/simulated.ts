import { annualReturn } from '#lib/numerics/risk/annual-return.ts';
import { annualVolatility } from '#lib/numerics/risk/annual-volatility.ts';
import { maxDrawdown } from '#lib/numerics/drawdown.ts';
import { sharpeRatio } from '#lib/numerics/risk/sharpe-ratio.ts';
import type { Ledger } from '#lib/numerics/backtesting/ledger.ts';
import { curveReturns } from './curve-returns.ts';

/** A backtest with the dates of its sessions. */
export type Simulated = { sessions: readonly string[]; ledger: Ledger };

/** The values of a backtest at the closes of its sessions. */
export type Curve = { ledger: { value: Float64Array } };

/** Returns the simple returns of the sessions after the first one. */
export function returnsOf({ ledger }: Curve): Float64Array {
  return curveReturns(ledger.value);
}

/** Returns the main figures of a backtest. Figures per unit of time are annual. */
export function figuresOf(simulated: Curve, periodsPerYear: number) {
  const returns = returnsOf(simulated);
  return {
    annual_return: annualReturn(returns, periodsPerYear),
    volatility: annualVolatility(returns, periodsPerYear),
    sharpe: sharpeRatio(returns, { riskFree: 0, periodsPerYear }),
    max_drawdown: maxDrawdown(returns),
    end_value: simulated.ledger.value.at(-1)!,
  };
}
