import { expect } from 'chai';
import { tearSheet, type ShownBacktest } from '#api/cli/quant/tear-sheet.ts';
import type { BacktestInput } from '#lib/quant/backtests/backtest-input.schema.ts';
import { runBacktest } from '#lib/quant/backtests/run-backtest.ts';
import { dataOf, resolved, weekdaysFrom, MONDAY } from '../quant/strategies/strategy-fixture.ts';

const closes = {
  A: Array.from({ length: 90 }, (_, t) => 50 + t / 2 - (t % 4)),
  B: Array.from({ length: 90 }, (_, t) => 40 + (t % 6)),
};
const days = weekdaysFrom(MONDAY, 90);

function shown({ name, benchmark }: { name: string | null; benchmark: string | null }): ShownBacktest {
  const strategy = resolved({
    name,
    universe: { kind: 'list', symbols: ['A', 'B'] },
    weight: { scheme: 'equal' },
  });
  const input: BacktestInput = {
    family: '0'.repeat(64),
    strategy,
    parameters: {},
    variants: [],
    features: [],
    from: days[0]!,
    to: days.at(-1)!,
    as_of: days.at(-1)!,
    benchmark: benchmark === null ? null : { symbol: benchmark },
    periods_per_year: 252,
    capacity: false,
    trials: { declared: 4, counted: 2, measured: 0, sharpe_sum: 0, sharpe_square_sum: 0 },
    seed: 0,
  };
  const data = dataOf(closes);
  const found = runBacktest(
    input,
    {
      data,
      benchmark: benchmark === null ? null : { kind: 'simulated', data: dataOf({ B: closes.B }) },
    },
    { progress: () => {} },
  );
  if (!found.ok) throw new Error(found.refusal.detail);
  return { uid: 'bkt_1', input, result: found.output.result, result_hash: 'abc', seal: { hash: 'def' } };
}

describe('tearSheet', () => {
  it('prints the window, the figures in percent, the counted trials and the seal', () => {
    const run = shown({ name: 'Two stocks', benchmark: null });
    const text = tearSheet(run, { plots: false });
    expect(text).to.contain(`Two stocks, ${days[0]} to ${days.at(-1)}, 90 sessions, 2 symbols, USD`);
    expect(text).to.contain(`${(100 * run.result.performance.annual_return!).toFixed(2)} %`);
    expect(text).to.contain('trials: 7 (2 counted, 4 declared, 1 of this run)');
    expect(text).to.contain('warning survivorship: ');
    expect(text).to.match(/backtest +bkt_1\nresult hash +abc\nseal +def$/);
    expect(text).to.not.match(/beta|Drawdown|Jan/);
  });

  it('compares with a benchmark, and has a default title for a strategy without a name', () => {
    const text = tearSheet(shown({ name: null, benchmark: 'B' }), { plots: false });
    expect(text).to.match(/^Strategy, /);
    expect(text).to.match(/beta to B +│ +-?\d/);
  });

  it('plots on request, and prints monthly returns that compound to the return of the year', () => {
    const run = shown({ name: 'Two stocks', benchmark: null });
    const lines = tearSheet(run, { plots: true }).split('\n');
    expect(lines).to.include.members(['Value', 'Drawdown', 'Monthly returns in percent']);
    const year = lines.find((line) => line.startsWith('│ 2020'))!;
    const cells = year.split('│').map((cell) => cell.trim());
    expect(cells.at(-2)).to.equal((100 * run.result.by_year[0]!.return).toFixed(1));
    expect(cells.slice(2, -2).filter((cell) => cell !== '')).to.have.length(run.result.by_month.length);
  });

  it('says that a negative ratio never becomes significant', () => {
    const run = shown({ name: null, benchmark: null });
    run.result.evidence.min_track_record = null;
    expect(tearSheet(run, { plots: false })).to.contain('minimum track record none is long enough');
  });
});
