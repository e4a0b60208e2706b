import { backtest } from '#lib/numerics/backtesting/backtest.ts';
import type { Ledger } from '#lib/numerics/backtesting/ledger.ts';
import type { Market, MarketAction } from '#lib/numerics/backtesting/market.ts';
import type { Terms } from '#lib/numerics/backtesting/terms.ts';
import { type Members, asList, asMembers, asNumber, asText, parseGoldenFile } from './golden-file.ts';
import { GoldenFileError, type Report, Tally } from './report.ts';
import { signalTargets } from './backtest-signals.ts';

const TOLERANCE = 1e-9;

/**
 * Compares backtests with a file: value of each session, cash, costs, traded amount, number of orders and positions at
 * the end. The targets of the file are traded at the closes of their days. Targets of signal rules are also computed
 * from the prices, and compared. Throws a `GoldenFileError` on an unreadable file.
 */
export function check(contents: string, _path: string): Report {
  const tally = new Tally();
  for (const [at, value] of asList(parseGoldenFile(contents)['cases'], 'cases').entries()) {
    tally.case();
    checkCase(tally, readCase(asMembers(value, `cases[${at}]`)));
  }
  return tally.report;
}

export type Case = {
  name: string;
  rule: Members;
  dates: string[];
  symbols: string[];
  /** The closes: one row for each session, one column for each symbol. */
  prices: Float64Array;
  source: Members;
};

function readCase(source: Members): Case {
  const name = asText(source['name'], 'name');
  const symbols = asList(source['symbols'], `${name}.symbols`).map((symbol) => asText(symbol, name));
  const rows = asList(source['prices'], `${name}.prices`);
  return {
    name,
    rule: asMembers(source['rule'], `${name}.rule`),
    dates: asList(source['dates'], `${name}.dates`).map((date) => asText(date, name)),
    symbols,
    prices: Float64Array.from(
      rows.flatMap((row) =>
        asList(row, name).map((price) => (price === null ? Number.NaN : asNumber(price, name))),
      ),
    ),
    source,
  };
}

function checkCase(tally: Tally, each: Case): void {
  const { name, dates, symbols, source } = each;
  const targets = targetsOf(each);
  for (const [day, computed] of signalTargets(each)) {
    for (const symbol of symbols) {
      const at = `${name}.targets.${day}.${symbol}`;
      tally.number(at, targets.get(day)?.get(symbol) ?? 0, computed.get(symbol) ?? 0, TOLERANCE);
    }
  }
  const ledger = backtest(marketOf(each), termsOf(each), (session) => {
    const wanted = targets.get(dates[session]!);
    return wanted ? Float64Array.from(symbols, (symbol) => wanted.get(symbol) ?? 0) : null;
  });
  compare(tally, each, ledger, asMembers(source['expected'], `${name}.expected`));
}

function compare(tally: Tally, { name, symbols, source }: Case, ledger: Ledger, expected: Members): void {
  const initial = asNumber(source['initial_value'], `${name}.initial_value`);
  const near = (member: string, actual: number, scale: number) => {
    if (expected[member] === undefined) return;
    const value = asNumber(expected[member], `${name}.${member}`);
    // Sums that should be 0 are compared relative to the amounts that were added.
    tally.number(`${name}.${member}`, value + scale, actual + scale, TOLERANCE);
  };
  for (const [at, value] of asList(expected['values'], `${name}.values`).entries()) {
    tally.number(`${name}.values[${at}]`, asNumber(value, name), ledger.value[at]!, TOLERANCE);
  }
  near('cash_end', ledger.cash.at(-1)!, initial);
  near('cash_min', Math.min(...ledger.cash), initial);
  const { commission, spread, impact, tax } = ledger.costs;
  near('fees_total', commission + spread + impact + tax, 0);
  near('outlays_absolute_total', ledger.traded, 0);
  for (const member of ['trades', 'orders']) {
    if (expected[member] !== undefined) tally.equal(`${name}.${member}`, expected[member], ledger.filled);
  }
  const positions = asMembers(expected['positions_end'] ?? {}, `${name}.positions_end`);
  for (const [at, symbol] of symbols.entries()) {
    const held = asNumber(positions[symbol] ?? 0, `${name}.positions_end.${symbol}`);
    tally.number(`${name}.positions_end.${symbol}`, held, ledger.positions[at]!, TOLERANCE);
  }
}

/** Returns the target weights of each day with orders, by symbol. */
function targetsOf(each: Case): Map<string, Map<string, number>> {
  const { name, rule, dates, source } = each;
  if (source['targets'] !== undefined) {
    return new Map(
      Object.entries(asMembers(source['targets'], `${name}.targets`)).map(([day, weights]) => [
        day,
        weightsOf(asMembers(weights, `${name}.targets.${day}`)),
      ]),
    );
  }
  const weights = fixedWeights(each);
  const schedule = rule['schedule'] === undefined ? '' : asText(rule['schedule'], `${name}.schedule`);
  return new Map(
    dates.filter((_, at) => isScheduled(schedule, dates, at)).map((day) => [day, weights] as const),
  );
}

function weightsOf(weights: Members): Map<string, number> {
  return new Map(Object.entries(weights).map(([symbol, weight]) => [symbol, asNumber(weight, symbol)]));
}

function fixedWeights({ name, rule, symbols }: Case): Map<string, number> {
  if (rule['weights'] === 'equal') return new Map(symbols.map((symbol) => [symbol, 1 / symbols.length]));
  return weightsOf(asMembers(rule['weights'], `${name}.weights`));
}

/** Whether a schedule, in the words of the file, names a day. Without a schedule, only the first day is named. */
function isScheduled(schedule: string, dates: readonly string[], at: number): boolean {
  if (at === 0) return true;
  if (schedule === '') return false;
  if (schedule.includes('not the last day') && at === dates.length - 1) return false;
  const period = /of a (month|quarter|year)/.exec(schedule)?.[1];
  if (period === undefined)
    throw new GoldenFileError(`the schedule ${JSON.stringify(schedule)} is not known`);
  return periodOf(dates[at]!, period) !== periodOf(dates[at - 1]!, period);
}

function periodOf(date: string, period: string): string {
  if (period === 'year') return date.slice(0, 4);
  if (period === 'month') return date.slice(0, 7);
  return `${date.slice(0, 4)}-${Math.ceil(Number(date.slice(5, 7)) / 3)}`;
}

function marketOf({ name, dates, symbols, prices, source }: Case): Market {
  const matrix = (member: string) => {
    if (source[member] === undefined) return null;
    const values = new Float64Array(prices.length).fill(Number.NaN);
    for (const [day, row] of Object.entries(asMembers(source[member], `${name}.${member}`))) {
      const numbers = asList(row, `${name}.${member}.${day}`).map((value) => asNumber(value, day));
      values.set(numbers, dates.indexOf(day) * symbols.length);
    }
    return values;
  };
  return {
    sessions: dates.length,
    symbols: symbols.length,
    close: prices,
    trade: prices,
    volume: matrix('volume_on_trade_days'),
    volatility: matrix('volatility_on_trade_days'),
    actions: [
      ...actionsOf(source['splits'], (ratio) => ({ type: 'split', ratio })),
      ...actionsOf(source['dividends'], (amount) => ({ type: 'dividend', amount })),
    ].sort((one, other) => one.session - other.session),
  };

  function actionsOf(
    byDay: unknown,
    action: (value: number) => { type: 'split'; ratio: number } | { type: 'dividend'; amount: number },
  ): MarketAction[] {
    return Object.entries(asMembers(byDay ?? {}, name)).flatMap(([day, values]) =>
      Object.entries(asMembers(values, day)).map(([symbol, value]) => ({
        session: dates.indexOf(day),
        symbol: symbols.indexOf(symbol),
        ...action(asNumber(value, symbol)),
      })),
    );
  }
}

/** Returns the terms of a rule. Cash earns nothing and may be negative, and orders are filled at the decision. */
function termsOf({ name, rule, dates, source }: Case): Terms {
  const text = typeof rule['cost'] === 'string' ? rule['cost'] : '';
  const commission = /^max\(([\d.]+), ([\d.]+) a share\)/.exec(
    rule['commission'] === undefined ? '' : asText(rule['commission'], `${name}.commission`),
  );
  if (rule['commission'] !== undefined && commission === null) {
    throw new GoldenFileError(`${name}: the commission ${JSON.stringify(rule['commission'])} is not known`);
  }
  return {
    initial: asNumber(source['initial_value'], `${name}.initial_value`),
    cashMin: 0,
    creditMax: Infinity,
    cashRate: new Float64Array(dates.length),
    lag: 0,
    wholeShares: rule['whole_shares'] === true,
    sizeAtDecision: false,
    participationMax: null,
    proportional: asNumber(rule['cost_proportional'] ?? 0, `${name}.cost_proportional`),
    halfSpread: 0,
    perShare: Number(commission?.[2] ?? 0),
    minimum: Number(commission?.[1] ?? 0),
    impact: Number(/Y ([\d.]+)$/.exec(text)?.[1] ?? 0),
    buyTax: 0,
    dividendWithholding: 0,
    borrow: 0,
    sessionsPerYear: 252,
  };
}
