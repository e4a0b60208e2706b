import type { WashOptions } from '../tax/wash-window.ts';
import { eventTable } from './event-table.ts';
import { LotLedger } from './lot-ledger.ts';
import type { GainRates } from './lot-relief.ts';
import { allocateInts } from './memory.ts';
import type { PortfolioTerms } from './portfolio-event.ts';
import type { Split, Timeline } from './replay.ts';
import { symbolClasses, type SymbolClasses } from './symbol-classes.ts';

export type DerivationOptions = {
  rates: GainRates;
  /** Sets of substantially identical securities. */
  identical: readonly (readonly string[])[];
  wash: WashOptions | undefined;
};

/** The rows of a table that a ledger replays together, from `first` to `end` without `end`, with their splits. */
type Part = { first: number; end: number; splits: readonly Split[] };

/**
 * Derives lots. The events of different symbols affect each other in two cases only: if the symbols are identical
 * securities, and if a fault ends the derivation of a portfolio. Therefore the events of each class of identical
 * securities are replayed separately. This is faster, because the lots of one class fit into the cache of the
 * processor. If there is a fault, all events are replayed again in the order of time.
 */
export function deriveLedger(
  timeline: Timeline,
  portfolios: readonly PortfolioTerms[],
  { rates, wash, identical }: DerivationOptions,
): LotLedger {
  const classes = symbolClasses(timeline.events, identical);
  const { places, parts } = partsOf(timeline, classes);
  const table = eventTable(timeline, { places, classes, portfolios });
  if (table.faults.size === 0) {
    const ledger = new LotLedger(table, { rates, wash });
    for (const part of parts) {
      ledger.run(part);
      if (ledger.faults.size > 0) break;
    }
    if (ledger.faults.size === 0) return ledger;
  }
  const all = { places: timeline.order.places, classes, portfolios };
  const ledger = new LotLedger(eventTable(timeline, all), { rates, wash });
  ledger.run({ first: 0, end: all.places.length, splits: timeline.splits });
  return ledger;
}

/** Groups the events that have a symbol by the class of the symbol. Uses a counting sort. */
function partsOf({ order, splits }: Timeline, classes: SymbolClasses): { places: Int32Array; parts: Part[] } {
  const { symbolOf, classOf } = classes;
  const ends = allocateInts(classes.count + 1);
  for (const symbol of symbolOf) if (symbol >= 0) ends[classOf[symbol]! + 1]! += 1;
  for (let at = 1; at < ends.length; at += 1) ends[at]! += ends[at - 1]!;
  const firsts = ends.slice();
  const sorted = allocateInts(ends.at(-1)!);
  for (let at = 0; at < order.places.length; at += 1) {
    const place = order.places[at]!;
    const symbol = symbolOf[place]!;
    if (symbol < 0) continue;
    const own = classOf[symbol]!;
    sorted[ends[own]!] = place;
    ends[own]! += 1;
  }
  const splitsOf = splitsByClass(splits, classes);
  const parts = Array.from({ length: classes.count }, (_, own) => ({
    first: firsts[own]!,
    end: firsts[own + 1]!,
    splits: splitsOf.get(own) ?? [],
  }));
  return { places: sorted, parts };
}

function splitsByClass(splits: readonly Split[], { symbols, classOf }: SymbolClasses): Map<number, Split[]> {
  const numbers = new Map(splits.length === 0 ? [] : symbols.map((symbol, at) => [symbol, at]));
  const known = splits.filter(({ symbol }) => numbers.has(symbol));
  return Map.groupBy(known, ({ symbol }) => classOf[numbers.get(symbol)!]!);
}
