import { daysBetween } from '#lib/core/date.ts';
import { formatDecimal } from '#lib/core/decimal.ts';
import { recognisedMinor, type Lot } from '#lib/investment/portfolios/lot.ts';
import { deriveLots } from '#lib/investment/portfolios/lots.ts';
import type { PortfolioEvent } from '#lib/investment/portfolios/portfolio-event.ts';
import { proposeHarvest } from '#lib/investment/tax/harvest.ts';
import type { HarvestProposal } from '#lib/investment/tax/harvest-proposal.ts';
import type { HarvestPolicy } from '#lib/investment/tax/harvest-selection.ts';
import { longFrom } from '#lib/investment/tax/holding-period.ts';
import type { WashPurchase } from '#lib/investment/tax/wash-purchases.ts';
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
import { compare } from './tax-compare.ts';
import { eventOf, referenceOf, sharesOf, termsOf } from './tax-events.ts';

const LATE = '9000-01-01';

/**
 * Compares harvest proposals with the `cases` of a file: `{name, input, expected}`, or `{name, history,
 * expected}` for a replay of trades. Amounts are integers in minor units. Quantities and prices are decimal
 * texts. A member that `expected` omits is not compared. Throws a `GoldenFileError` on an unreadable file.
 */
export function check(contents: string, _path: string): Report {
  const tally = new Tally();
  for (const [at, value] of asList(parseGoldenFile(contents)['cases'], 'cases').entries()) {
    const entry = asMembers(value, `cases[${at}]`);
    const name = `cases[${at}] (${asText(entry['name'] ?? '', `cases[${at}].name`)})`;
    tally.case();
    if (entry['history'] === undefined) checkProposal(tally, entry, name);
    else checkHistory(tally, entry, name);
  }
  return tally.report;
}

function checkProposal(tally: Tally, entry: Members, name: string): void {
  const input = asMembers(entry['input'], `${name}.input`);
  const expected = asMembers(entry['expected'], `${name}.expected`);
  const outcome = proposeHarvest(inputOf(input, `${name}.input`));
  if (!outcome.ok) {
    tally.equal(`${name}.refusal`, expected['refusal'] ?? expected['code'], outcome.refusal.code);
    return;
  }
  compare(tally, `${name}.expected`, expected, presented(outcome.proposal));
}

function inputOf(input: Members, name: string): Parameters<typeof proposeHarvest>[0] {
  const asOf = asText(input['as_of'], `${name}.as_of`);
  const amount = (of: Members, member: string) => asInteger(of[member] ?? 0, `${name}.${member}`);
  const rate = (member: string) => asNumber(input[member], `${name}.${member}`);
  const gains = (member: string) => {
    const of = asMembers(input[member] ?? {}, `${name}.${member}`);
    return { shortMinor: amount(of, 'short_minor'), longMinor: amount(of, 'long_minor') };
  };
  const prices = Object.entries(asMembers(input['prices'], `${name}.prices`));
  const shortBps = rate('short_rate_bps');
  return {
    asOf,
    terms: termsOf('fifo'),
    lots: asList(input['lots'], `${name}.lots`).map((each) => lotOf(asMembers(each, `${name}.lots`), name)),
    prices: new Map(prices.map(([symbol, price]) => [symbol, { price: asText(price, name), on: asOf }])),
    purchases: asList(input['purchases'] ?? [], `${name}.purchases`).map((each) =>
      purchaseOf(asMembers(each, `${name}.purchases`), name),
    ),
    rates: {
      shortBps,
      longBps: rate('long_rate_bps'),
      ordinaryBps: asNumber(input['ordinary_rate_bps'] ?? shortBps, name),
    },
    realised: gains('realised'),
    carriedIn: gains('carried_in'),
    policy: asText(input['policy'], `${name}.policy`) as HarvestPolicy,
    minimumLossMinor: amount(input, 'minimum_loss_minor'),
    minimumLossBps: asNumber(input['minimum_loss_bps'] ?? 0, name),
    minimumNetMinor: input['minimum_net_minor'] === undefined ? null : amount(input, 'minimum_net_minor'),
    costBps: asNumber(input['cost_bps'] ?? 0, name),
    identical: asList(input['identical'] ?? [], name).map((set) => asList(set, name) as string[]),
    horizon: 'now',
    sameLotIsReplacement: input['same_lot_is_replacement'] === true,
    earlierPurchasesReplace: input['earlier_purchases_replace'] !== false,
  };
}

function lotOf(lot: Members, name: string): Lot {
  const acquiredOn = asText(lot['acquired'], `${name}.acquired`);
  const holdingSince = asText(lot['holding_since'] ?? acquiredOn, name);
  const costMinor = asInteger(lot['cost_minor'], `${name}.cost_minor`);
  return {
    portfolio: asText(lot['portfolio'], `${name}.portfolio`),
    reference: asText(lot['lot'], `${name}.lot`),
    lot: asText(lot['lot'], `${name}.lot`),
    slice: 0,
    symbol: asText(lot['symbol'], `${name}.symbol`),
    currency: 'USD',
    acquiredOn,
    holdingSince,
    longFrom: longFrom(holdingSince),
    quantity: sharesOf(lot['quantity'], `${name}.quantity`),
    costMinor,
    basisMinor: asInteger(lot['basis_minor'] ?? costMinor, `${name}.basis_minor`),
    washAddedMinor: 0n,
    isReplacement: false,
    knownAt: `${acquiredOn}T00:00:00.000Z`,
  };
}

function purchaseOf(purchase: Members, name: string): WashPurchase {
  const lot = purchase['lot'] ?? null;
  return {
    portfolio: asText(purchase['portfolio'], `${name}.portfolio`),
    lot: lot === null ? null : asText(lot, `${name}.lot`),
    reference: String(lot),
    symbol: asText(purchase['symbol'], `${name}.symbol`),
    on: asText(purchase['date'], `${name}.date`),
    quantity: sharesOf(purchase['quantity'], `${name}.quantity`),
    accountKind: purchase['account'] === 'taxable' ? 'taxable' : 'tax_exempt',
  };
}

function presented(proposal: HarvestProposal): Members {
  const { heldBack, repurchaseNotBefore } = proposal;
  return {
    sales: proposal.sales.map((sale) => ({
      lot: sale.lot,
      symbol: sale.symbol,
      quantity: formatDecimal(sale.quantity),
      proceeds_minor: sale.proceedsMinor,
      basis_minor: sale.basisMinor,
      gain_minor: sale.gainMinor,
      term: sale.term,
      washed_quantity: formatDecimal(sale.washedQuantity),
      disallowed_minor: sale.disallowedMinor,
      days_to_long: sale.daysToLong,
    })),
    held_back: Object.fromEntries([...heldBack].map(([lot, { quantity }]) => [lot, formatDecimal(quantity)])),
    replacement_adjustments: proposal.replacementAdjustments.map((each) => ({
      lot: each.lot,
      portfolio: each.portfolio,
      quantity: formatDecimal(each.quantity),
      basis_added_minor: each.basisAddedMinor,
      days_tacked: each.daysTacked,
    })),
    lost_for_ever_minor: proposal.lostForEverMinor,
    recognised_short_minor: proposal.recognisedShortMinor,
    recognised_long_minor: proposal.recognisedLongMinor,
    tax_before_minor: proposal.taxBeforeMinor,
    tax_after_minor: proposal.taxAfterMinor,
    saving_now_minor: proposal.savingNowMinor,
    carried_short_minor: proposal.carriedShortMinor,
    carried_long_minor: proposal.carriedLongMinor,
    cost_minor: proposal.costMinor,
    net_now_minor: proposal.netNowMinor,
    repurchase_not_before: Object.fromEntries(repurchaseNotBefore),
    why: Object.fromEntries(proposal.why),
  };
}

function checkHistory(tally: Tally, entry: Members, name: string): void {
  const events = asList(entry['history'], `${name}.history`).map((value, at): PortfolioEvent => {
    const trade = asMembers(value, `${name}.history[${at}]`);
    return eventOf({
      type: trade['side'] === 'buy' ? 'buy' : 'sell',
      reference: referenceOf(at),
      tradedOn: asText(trade['date'], `${name}.history[${at}].date`),
      symbol: asText(trade['symbol'], `${name}.history[${at}].symbol`),
      quantity: sharesOf(trade['quantity'], `${name}.history[${at}].quantity`),
      amountMinor: asInteger(trade['amount_minor'], `${name}.history[${at}].amount_minor`),
      lot: trade['lot'] === undefined ? null : asText(trade['lot'], `${name}.history[${at}].lot`),
    });
  });
  const found = deriveLots({ events, splits: [], portfolios: [termsOf('fifo')], asOf: LATE });
  for (const { code } of found.faults) tally.fail(`${name}.fault`, 'none', code);
  compare(tally, `${name}.expected`, asMembers(entry['expected'], `${name}.expected`), {
    disposals: found.disposals.map((each) => ({
      lot: each.lot,
      quantity: formatDecimal(each.quantity),
      gain_minor: each.gainMinor,
      disallowed_minor: each.disallowedMinor,
      recognised_minor: recognisedMinor(each),
      term: each.term,
    })),
    open_lots: found.lots.map((lot) => ({
      lot: lot.lot,
      quantity: formatDecimal(lot.quantity),
      cost_minor: lot.costMinor,
      basis_minor: lot.basisMinor,
      days_tacked: daysBetween(lot.holdingSince, lot.acquiredOn),
      holding_since: lot.holdingSince,
    })),
  });
}
