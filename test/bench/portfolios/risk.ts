import { portfolioRisk } from '#lib/investment/risk/portfolio-risk.ts';
import type { RiskInput } from '#lib/investment/risk/risk-input.ts';
import type { BenchContext, Row } from '../bench.ts';
import { processorMs } from '../processor-time.ts';
import { compare, interleave } from '../rounds.ts';
import { simulatedRisk } from './simulated-risk.ts';

const MS_MAX = 150;
const ROUNDS = { full: 9, tiny: 1 };
const cases = {
  full: [
    { positions: 500, days: 2_520, window: 2_520, msMax: MS_MAX },
    { positions: 500, days: 2_520, window: 252, msMax: MS_MAX },
    { positions: 100, days: 252, window: 252, msMax: null },
  ],
  tiny: [{ positions: 5, days: 100, window: 80, msMax: null }],
};

/**
 * Measures the processor time of the risk of one portfolio with all optional parts, compared with one
 * weighted pass over the same prices. The first round includes compiling the code.
 */
export async function riskRows(bench: string, { size, notify }: BenchContext): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { positions, days, window, msMax } of cases[size]) {
    const label = `risk of ${positions} positions x ${days.toLocaleString('en')} days, window ${window}`;
    notify(label);
    const simulated = simulatedRisk(positions, days);
    const input = { ...simulated, options: { ...simulated.options, window } };
    const figures = await interleave(ROUNDS[size], {
      subject: async () =>
        processorMs(() => {
          const outcome = portfolioRisk(input);
          if (!outcome.ok) throw new Error(outcome.refusal.detail);
        }),
      peer: async () => processorMs(() => weightedPass(input)),
    });
    const compared = compare(figures.subject, figures.peer);
    rows.push({
      bench,
      case: label,
      unit: 'ms',
      note: 'processor time with components, backtest and liquidity; peer: one weighted pass over the prices',
      ...compared,
      target: msMax === null ? null : `<= ${msMax} ms`,
      met: msMax === null ? null : Math.max(...figures.subject) <= msMax,
    });
  }
  return rows;
}

function weightedPass({ positions, dates }: RiskInput): Float64Array {
  const returns = new Float64Array(dates.length - 1);
  const weight = 1 / positions.length;
  for (const { prices } of positions)
    for (let t = 0; t < returns.length; t += 1) returns[t]! += weight * (prices[t + 1]! / prices[t]! - 1);
  return returns;
}
