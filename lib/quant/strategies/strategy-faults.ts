import { minorDigits } from '#lib/core/money.ts';
import { priceColumns, readCondition, readSignal, reservedWords } from './strategy-formulas.ts';
import type { StrategyFault } from './strategy-fault.ts';
import type { ResolvedStrategy } from './strategy.schema.ts';

type Add = (pointer: string, code: string, message: string) => void;
type Rule = (strategy: ResolvedStrategy, add: Add) => void;

/** Returns the faults that the schema of a strategy cannot express. */
export function strategyFaults(strategy: ResolvedStrategy): StrategyFault[] {
  const faults: StrategyFault[] = [];
  const add: Add = (pointer, code, message) => faults.push({ pointer, code, message });
  for (const rule of rules) rule(strategy, add);
  return faults;
}

const rules: readonly Rule[] = [
  universe,
  signals,
  selection,
  weighting,
  shortPositions,
  fixedWeights,
  trading,
];

function universe({ universe: { kind, symbols, name, dataset, where } }: ResolvedStrategy, add: Add): void {
  const isNamed = kind === 'sector' || kind === 'theme';
  if (kind === 'list' && symbols.length === 0)
    add('/universe/symbols', 'required', 'a list needs at least one symbol');
  if (kind !== 'list' && symbols.length > 0)
    add('/universe/symbols', 'unsupported', 'is allowed only for the kind list');
  if (isNamed && name === null) add('/universe/name', 'required', `the kind ${kind} needs a name`);
  if (!isNamed && name !== null)
    add('/universe/name', 'unsupported', 'is allowed only for the kinds sector and theme');
  if (dataset !== null && !isNamed && kind !== 'constituents')
    add('/universe/dataset', 'unsupported', 'is allowed only for the kinds sector, theme and constituents');
  if (where !== null) condition('/universe/where', where, priceColumns, add);
}

function signals({ signals: byName }: ResolvedStrategy, add: Add): void {
  for (const [name, { feature, version, expression }] of Object.entries(byName)) {
    const at = `/signals/${name}`;
    if (reservedWords.has(name))
      add(at, 'reserved', `${name} is reserved in expressions; choose another name`);
    if ((feature === null) === (expression === null))
      add(at, 'required', 'a signal is either a feature or an expression');
    if (feature !== null && version === null)
      add(`${at}/version`, 'required', 'a feature needs a version, because its values may change with it');
    if (feature === null && version !== null)
      add(`${at}/version`, 'unsupported', 'only a feature has a version');
    const read = expression === null ? { ok: true } : readSignal(expression);
    if (!read.ok) add(`${at}/expression`, 'expression', (read as { message: string }).message);
  }
}

function selection({ select, signals: byName, universe: { most } }: ResolvedStrategy, add: Add): void {
  const { by, top, keep_until_rank: keep, where, minimum } = select;
  if (by !== null && !Object.hasOwn(byName, by)) add('/select/by', 'unknown_signal', unknown(by, byName));
  if (top !== null && by === null)
    add('/select/by', 'required', '`top` needs a signal that ranks the symbols');
  if (keep !== null && (top === null || keep < top))
    add('/select/keep_until_rank', 'minimum', 'requires `top`, and must not be below it');
  if (minimum > (top ?? most))
    add('/select/minimum', 'maximum', `is above ${top ?? most}, the largest number of selected symbols`);
  if (where !== null) condition('/select/where', where, Object.keys(byName), add);
}

function weighting({ weight, select: { by }, signals: byName }: ResolvedStrategy, add: Add): void {
  const { scheme, by: own, construct } = weight;
  const usesSignal = scheme === 'signal' || scheme === 'market_cap';
  if (own !== null && !usesSignal)
    add('/weight/by', 'unsupported', 'is allowed only for the schemes signal and market_cap');
  else if (own !== null && !Object.hasOwn(byName, own))
    add('/weight/by', 'unknown_signal', unknown(own, byName));
  if (usesSignal && own === null && by === null)
    add('/weight/by', 'required', `the scheme ${scheme} needs a signal`);
  if (scheme === 'rank' && by === null)
    add('/select/by', 'required', 'the scheme rank needs a signal that ranks the symbols');
  const budgets = Object.values(construct.budget);
  if (budgets.length > 0 && scheme !== 'risk_budget')
    add('/weight/construct/budget', 'unsupported', 'is allowed only for the scheme risk_budget');
  else if (budgets.length > 0 && !budgets.some((share) => share > 0))
    add('/weight/construct/budget', 'minimum', 'needs a budget above 0');
}

const schemesOfRisk = new Set(['fixed', 'minimum_variance', 'risk_budget', 'hrp']);

function shortPositions({ weight: { scheme, short }, select: { by } }: ResolvedStrategy, add: Add): void {
  if (short.bottom === 0) return;
  if (by === null) add('/select/by', 'required', '`short.bottom` needs a signal that ranks the symbols');
  if (schemesOfRisk.has(scheme))
    add(
      '/weight/short/bottom',
      'unsupported',
      `the scheme ${scheme} does not support short positions by rank`,
    );
}

function fixedWeights(
  { weight: { scheme, fixed }, universe: { kind, symbols } }: ResolvedStrategy,
  add: Add,
): void {
  const named = Object.keys(fixed);
  if (scheme === 'fixed' && named.length === 0)
    add('/weight/fixed', 'required', 'the scheme fixed needs a weight for at least one symbol');
  if (scheme !== 'fixed' && named.length > 0)
    add('/weight/fixed', 'unsupported', 'is allowed only for the scheme fixed');
  const outside = kind === 'list' ? named.find((symbol) => !symbols.includes(symbol)) : undefined;
  if (outside !== undefined)
    add('/weight/fixed', 'unknown_symbol', `${outside} is not a symbol of the universe`);
}

const periodsWithSession = new Set(['last', 'first']);

function trading({ schedule, overlay, cash }: ResolvedStrategy, add: Add): void {
  if (!periodsWithSession.has(schedule.on) && schedule.every !== 'week')
    add('/schedule/on', 'unsupported', 'a weekday needs `every: week`');
  if ((overlay.volatility_target?.leverage_max ?? 1) > 1 && cash.credit_max === 0)
    add('/cash/credit_max', 'required', 'must be above 0 if `leverage_max` is above 1');
  if (minorDigits(cash.currency) === undefined)
    add('/cash/currency', 'unknown_currency', 'is not an active ISO 4217 currency');
}

function condition(pointer: string, text: string, columns: readonly string[], add: Add): void {
  const read = readCondition(text, columns);
  if (!read.ok) add(pointer, 'expression', read.message);
}

function unknown(name: string, signals: Readonly<Record<string, unknown>>): string {
  return `${name} is not a signal of the strategy; it has ${Object.keys(signals).join(', ') || 'none'}`;
}
