import { formatDecimal } from '#lib/core/decimal.ts';
import { recognisedMinor, type Disposal } from '#lib/investment/portfolios/lot.ts';
import { deriveLots, type Lots } from '#lib/investment/portfolios/lots.ts';
import type { LotRelief, PortfolioEvent } from '#lib/investment/portfolios/portfolio-event.ts';
import { termOf } from '#lib/investment/tax/holding-period.ts';
import { netGains } from '#lib/investment/tax/netting.ts';
import { unitedStates } from '#lib/investment/tax/regime.ts';
import {
  type Members,
  asInteger,
  asList,
  asMembers,
  asNumber,
  asText,
  parseGoldenFile,
} from './golden-file.ts';
import { type Report, Tally } from './report.ts';
import { compare, compareList } from './tax-compare.ts';
import { eventOf, referenceOf, sharesOf, termsOf } from './tax-events.ts';

/** The as-of day of every replay, after all events of the file. */
const LATE = '9000-01-01';
const SYMBOL = 'X';

/**
 * Compares holding periods, relief methods, wash sales and the netting of gains with a file: `holding_period`, `cases`
 * (`method` with a `sale` of `open_lots_for_relief_cases`, or `trades`) and `netting`. Amounts are integers in minor
 * units. Throws a `GoldenFileError` on an unreadable file.
 */
export function check(contents: string, _path: string): Report {
  const tally = new Tally();
  const file = parseGoldenFile(contents);
  for (const [at, value] of asList(file['holding_period'] ?? [], 'holding_period').entries()) {
    const name = `holding_period[${at}]`;
    const { acquired, sold, term } = asMembers(value, name);
    tally.case();
    tally.equal(`${name}.term`, term, termOf(asText(acquired, name), asText(sold, name)));
  }
  const lots = asList(file['open_lots_for_relief_cases'] ?? [], 'open_lots_for_relief_cases');
  for (const [at, value] of asList(file['cases'] ?? [], 'cases').entries()) {
    const entry = asMembers(value, `cases[${at}]`);
    const name = `cases[${at}] (${asText(entry['name'] ?? '', `cases[${at}].name`)})`;
    tally.case();
    if (entry['trades'] === undefined) checkRelief(tally, entry, lots, name);
    else checkTrades(tally, entry, name);
  }
  for (const [at, value] of asList(file['netting'] ?? [], 'netting').entries()) {
    tally.case();
    checkNetting(tally, asMembers(value, `netting[${at}]`), `netting[${at}]`);
  }
  return tally.report;
}

function checkRelief(tally: Tally, entry: Members, lots: readonly unknown[], name: string): void {
  const method = asText(entry['method'], `${name}.method`).replace(/^specific_id$/, 'specific') as LotRelief;
  const sale = asMembers(entry['sale'], `${name}.sale`);
  const quantity = asNumber(sale['quantity'], `${name}.sale.quantity`);
  const named = entry['ids'] === undefined ? null : asList(entry['ids'], `${name}.ids`).join(' ');
  const events = lots.map((value, at): PortfolioEvent => {
    const lot = asMembers(value, `open_lots_for_relief_cases[${at}]`);
    const acquiredOn = asText(lot['acquired'], `${name}.acquired`);
    return eventOf({
      type: 'transfer_in',
      reference: referenceOf(at),
      tradedOn: acquiredOn,
      acquiredOn,
      symbol: SYMBOL,
      quantity: sharesOf(lot['quantity'], name),
      basisMinor: asInteger(lot['cost_minor'], name),
      lot: asText(lot['id'], name),
    });
  });
  events.push(
    eventOf({
      type: 'sell',
      reference: 'sale',
      tradedOn: asText(sale['date'], `${name}.sale.date`),
      symbol: SYMBOL,
      quantity: sharesOf(quantity, name),
      amountMinor: asInteger(sale['price_minor'], name) * BigInt(quantity),
      lot: named,
    }),
  );
  const { disposals } = derived(tally, events, { method, name });
  compareList(tally, `${name}.slices`, asList(entry['slices'], `${name}.slices`), disposals.map(sliceOf));
  const byTerm = (term: string) =>
    disposals.filter((each) => each.term === term).reduce((sum, { gainMinor }) => sum + gainMinor, 0n);
  const [short, long] = [byTerm('short'), byTerm('long')];
  compare(tally, name, pick(entry, ['short_gain_minor', 'long_gain_minor', 'tax_minor_at_37_20']), {
    short_gain_minor: short,
    long_gain_minor: long,
    tax_minor_at_37_20: (short * 37n + long * 20n) / 100n,
  });
}

function checkTrades(tally: Tally, entry: Members, name: string): void {
  const identical = new Set<string>();
  let bought = 0;
  const events = asList(entry['trades'], `${name}.trades`).map((value, at): PortfolioEvent => {
    const trade = asMembers(value, `${name}.trades[${at}]`);
    const symbol = asText(trade['security'] ?? SYMBOL, `${name}.trades[${at}].security`);
    for (const other of asList(trade['substantially_identical'] ?? [], name))
      identical.add(asText(other, name)).add(symbol);
    const isBuy = trade['side'] === 'buy';
    if (isBuy) bought += 1;
    return eventOf({
      type: isBuy ? 'buy' : 'sell',
      reference: referenceOf(at),
      tradedOn: asText(trade['date'], `${name}.trades[${at}].date`),
      symbol,
      quantity: sharesOf(trade['quantity'], `${name}.trades[${at}].quantity`),
      amountMinor: asInteger(trade['amount_minor'], `${name}.trades[${at}].amount_minor`),
      lot: isBuy ? `B${bought}` : null,
    });
  });
  const sameLotIsReplacement = entry['same_lot_is_replacement'] === true;
  const found = derived(tally, events, {
    method: 'fifo',
    name,
    identical: [...identical],
    sameLotIsReplacement,
  });
  const sales = Map.groupBy(found.disposals, ({ reference }) => reference);
  const expected = asList(entry['sales'] ?? [], `${name}.sales`);
  if (entry['sales'] !== undefined) tally.equal(`${name}.sales.length`, expected.length, sales.size);
  for (const [at, disposals] of [...sales.values()].entries()) {
    if (expected[at] === undefined) continue;
    const at_ = `${name}.sales[${at}]`;
    const sale = asMembers(expected[at], at_);
    compareList(
      tally,
      `${at_}.slices`,
      asList(sale['slices'] ?? [], `${at_}.slices`),
      disposals.map(sliceOf),
    );
    const disallowed = disposals.reduce((sum, each) => sum + each.disallowedMinor, 0n);
    const recognised = disposals.reduce((sum, each) => sum + recognisedMinor(each), 0n);
    const totals = {
      recognised_minor: recognised,
      disallowed_minor: disallowed,
      sale_date: disposals[0]!.soldOn,
    };
    compare(tally, at_, pick(sale, ['recognised_minor', 'disallowed_minor', 'sale_date']), totals);
  }
  if (entry['open_lots'] === undefined) return;
  const open = [...found.lots].toSorted((a, b) => (a.symbol === b.symbol ? 0 : a.symbol < b.symbol ? -1 : 1));
  compareList(
    tally,
    `${name}.open_lots`,
    asList(entry['open_lots'], `${name}.open_lots`),
    open.map((lot) => ({
      buy: lot.lot,
      quantity: formatDecimal(lot.quantity),
      basis_minor: lot.basisMinor,
      holding_period_from: lot.holdingSince,
      wash_adjusted: lot.isReplacement,
    })),
  );
}

function checkNetting(tally: Tally, entry: Members, name: string): void {
  const input = asMembers(entry['input'], `${name}.input`);
  const amount = (member: string) => asInteger(input[member] ?? 0, `${name}.input.${member}`);
  const net = netGains(
    { shortMinor: amount('st'), longMinor: amount('lt') },
    { shortMinor: amount('cst'), longMinor: amount('clt') },
    unitedStates.ordinaryLimitMinor,
  );
  compare(tally, name, asMembers(entry['expected'], `${name}.expected`), {
    net_short_minor: net.netShortMinor,
    net_long_minor: net.netLongMinor,
    deduction_minor: net.deductionMinor,
    carry_short_minor: net.carryShortMinor,
    carry_long_minor: net.carryLongMinor,
    taxable_short_minor: net.taxableShortMinor,
    taxable_long_minor: net.taxableLongMinor,
  });
}

type Case = { method: LotRelief; name: string; identical?: string[]; sameLotIsReplacement?: boolean };

function derived(tally: Tally, events: readonly PortfolioEvent[], { method, name, ...rest }: Case): Lots {
  const { identical = [], sameLotIsReplacement = false } = rest;
  const found = deriveLots({
    events,
    splits: [],
    portfolios: [termsOf(method)],
    asOf: LATE,
    identical: [identical],
    wash: { sameLotIsReplacement },
  });
  for (const { code } of found.faults) tally.fail(`${name}.fault`, 'none', code);
  return found;
}

function sliceOf(each: Disposal): Members {
  return {
    lot: each.lot,
    from_buy: each.lot,
    quantity: formatDecimal(each.quantity),
    proceeds_minor: each.proceedsMinor,
    basis_minor: each.basisMinor,
    gain_minor: each.gainMinor,
    disallowed_minor: each.disallowedMinor,
    recognised_minor: recognisedMinor(each),
    term: each.term,
    matches: each.matches.map(({ lot, quantity, disallowedMinor }) => ({
      replacement: lot,
      quantity: formatDecimal(quantity),
      disallowed_minor: disallowedMinor,
    })),
  };
}

function pick(entry: Members, names: readonly string[]): Members {
  return Object.fromEntries(Object.entries(entry).filter(([name]) => names.includes(name)));
}
