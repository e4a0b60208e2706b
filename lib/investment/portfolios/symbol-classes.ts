import { Numbering } from './columns.ts';
import { allocateInts } from './memory.ts';
import type { PortfolioEvent } from './portfolio-event.ts';

/** The symbols of events, and their classes of substantially identical securities. */
export type SymbolClasses = {
  /** The symbols, by number. */
  symbols: readonly string[];
  /** The number of the symbol of each event; -1 if the event has no symbol. */
  symbolOf: Int32Array;
  /** The number of the class of each symbol. */
  classOf: Int32Array;
  /** The number of classes. */
  count: number;
};

/** Returns the classes of the symbols of events. A symbol that is in no set is a class of its own. */
export function symbolClasses(
  events: readonly PortfolioEvent[],
  identical: readonly (readonly string[])[],
): SymbolClasses {
  const symbols = new Numbering();
  const symbolOf = allocateInts(events.length);
  for (let at = 0; at < symbolOf.length; at += 1) {
    const { symbol } = events[at]!;
    symbolOf[at] = symbol === null ? -1 : symbols.numberOf(symbol);
  }
  const names = new Map(identical.flatMap((set) => set.map((symbol) => [symbol, set[0]!])));
  const classes = new Numbering();
  const classOf = Int32Array.from(symbols.texts, (symbol) => classes.numberOf(names.get(symbol) ?? symbol));
  return { symbols: symbols.texts, symbolOf, classOf, count: classes.texts.length };
}
