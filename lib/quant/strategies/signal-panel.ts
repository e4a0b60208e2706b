import { acrossRules } from '#lib/data/feature/across-entities.ts';
import { columnOf, type Expression } from '#lib/data/feature-expression/expression.ts';
import { evaluate } from '#lib/data/feature-expression/evaluate.ts';
import { stagesOf } from '#lib/data/feature-expression/stages.ts';

/**
 * Values by session and symbol, T-by-K and row-major: the value of symbol k in session t is at `t * K + k`. NaN is a
 * missing value.
 */
export type Panel = Float64Array;

export type PanelShape = { sessions: number; symbols: number };

/** The columns and members that an expression reads. */
export type PanelSource = PanelShape & {
  /** The sessions in which a symbol was observed, ascending. Moving functions count these sessions. */
  observed(symbol: number): Int32Array;
  /** The values of a column for a symbol, one for each observed session. */
  column(name: string, symbol: number): Float64Array;
  /** Whether a symbol is compared with the others in a session, 1 or 0 at `t * K + k`. */
  members(): Uint8Array;
};

/**
 * Evaluates an expression for all symbols in all sessions. A value depends only on its session and earlier
 * sessions. Functions across symbols compare the symbols for which `members` is 1 in the session.
 */
export function expressionPanel(expression: Expression, source: PanelSource): Panel {
  const { stages, rest } = stagesOf(expression);
  const made = new Map<string, Panel>();
  for (const { column, name, of } of stages) {
    made.set(column, acrossPanel(alongPanel(of, source, made), acrossRules[name], source));
  }
  return alongPanel(rest, source, made);
}

function alongPanel(expression: Expression, source: PanelSource, made: ReadonlyMap<string, Panel>): Panel {
  const { sessions, symbols: K } = source;
  const column = columnOf(expression);
  if (column !== undefined && made.has(column)) return made.get(column)!;
  const panel = new Float64Array(sessions * K).fill(Number.NaN);
  for (let k = 0; k < K; k += 1) {
    const places = source.observed(k);
    if (places.length === 0) continue;
    const columns = new Map<string, Float64Array>();
    const read = (name: string, place: number): number => {
      if (place < 0) return Number.NaN;
      const across = made.get(name);
      if (across) return across[places[place]! * K + k]!;
      let values = columns.get(name);
      if (values === undefined) columns.set(name, (values = source.column(name, k)));
      return values[place]!;
    };
    const values = evaluate(expression, read, 0, places.length - 1);
    for (let place = 0; place < places.length; place += 1) panel[places[place]! * K + k] = values[place]!;
  }
  return panel;
}

function acrossPanel(panel: Panel, rule: (values: Float64Array) => Float64Array, source: PanelSource): Panel {
  const { sessions, symbols: K } = source;
  const members = source.members();
  const result = new Float64Array(sessions * K).fill(Number.NaN);
  const row = new Float64Array(K);
  for (let t = 0; t < sessions; t += 1) {
    for (let k = 0; k < K; k += 1) row[k] = members[t * K + k] === 1 ? panel[t * K + k]! : Number.NaN;
    const compared = rule(row);
    for (let k = 0; k < K; k += 1) {
      const value = compared[k]!;
      if (Number.isFinite(value)) result[t * K + k] = value;
    }
  }
  return result;
}
