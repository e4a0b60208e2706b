import { linearProgram, type LinearProgram } from './linear-program.ts';
import type { LinearRange } from './linear-range.ts';

/** A linear constraint with a name (`id`). The constraints with one name are dropped and relaxed together. */
export type NamedRange = LinearRange & { id: string };

/** Returns a named constraint that bounds one variable. */
export function namedBound(id: string, variable: number, { min = -Infinity, max = Infinity }): NamedRange {
  return { id, index: Int32Array.of(variable), value: Float64Array.of(1), min, max };
}

export type Relaxation = {
  id: string;
  /**
   * The smallest amount by which all bounds with this name must be widened, in the unit of the constraint.
   * Infinity if no amount suffices.
   */
  by: number;
  /** The bound that must be widened. */
  side: 'min' | 'max' | 'both';
  /** The bound before and after the relaxation; null if the widened bounds with this name differ. */
  from: number | null;
  to: number | null;
  /**
   * Whether all constraints can be satisfied after the relaxation. If not, there are other conflicts besides
   * this conflict.
   */
  isSufficient: boolean;
};

/** `conflict` has the names in conflict. `relax` has the relaxations of the first 50 of these names. */
export type Conflict = { conflict: string[]; relax: Relaxation[] };

/**
 * Maximum number of names for the deletion filter. With more names, the conflict consists of all names in the
 * certificate of infeasibility.
 */
const FILTERED_MAX = 100;
const RELAXED_MAX = 50;

export type ConflictRequest = {
  size: number;
  /** Rows that define auxiliary variables. These rows are never dropped. */
  definitions?: readonly LinearRange[];
  constraints: readonly NamedRange[];
  /** Values that probably satisfy the constraints. Good values reduce the number of steps. */
  start?: Float64Array;
};

/**
 * Explains why constraints cannot be satisfied. Returns a minimal set of names that contradict each other,
 * and the smallest relaxation of each name. The set is minimal: without any one of its names, the others can
 * be satisfied together. Returns null if all constraints can be satisfied.
 *
 * Names outside the certificate of infeasibility are dropped at once. A deletion filter then tries to drop
 * each remaining name, in order. With more than 100 names the filter is skipped, and the set is not always
 * minimal. Each relaxation is computed by one linear programme. Variables have no bounds other than the
 * constraints.
 * Errors: `RangeError` on NaN, and if a linear programme reaches its step limit.
 * Source: Chinneck and Dravnieks, "Locating Minimal Infeasible Constraint Sets in Linear Programs" (ORSA
 * Journal on Computing 3, 1991), the deletion filter.
 *
 * Example: "sum" x1 + x2 = 1 and "bounds" 0 <= x <= 0.4 conflict. They are satisfied if the sum is 0.8, or if
 * the upper bounds are 0.5.
 */
export function explainConflict(request: ConflictRequest): Conflict | null {
  const { constraints } = request;
  const first = feasibility(request, constraints);
  if (first.ok) return null;
  let names = [...new Set(constraints.map(({ id }) => id))].filter((id) => first.ids.has(id));
  for (const id of names.length > FILTERED_MAX ? [] : [...names]) {
    if (!names.includes(id)) continue;
    const without = names.filter((each) => each !== id);
    const verdict = feasibility(
      request,
      constraints.filter((each) => without.includes(each.id)),
    );
    if (!verdict.ok) names = without.filter((each) => verdict.ids.has(each));
  }
  const members = constraints.filter(({ id }) => names.includes(id));
  const relax = names.slice(0, RELAXED_MAX).map((id) => {
    const whole = relaxed(request, constraints, id);
    if (whole) return { ...whole, isSufficient: true };
    const alone = relaxed(request, members, id);
    return alone
      ? { ...alone, isSufficient: false }
      : { id, by: Infinity, side: 'both' as const, from: null, to: null, isSufficient: false };
  });
  return { conflict: names, relax };
}

type Built = { program: LinearProgram; idOf: (at: number) => string[] };

/**
 * Converts constraints to a linear programme: constraints of one variable become its bounds, and other
 * constraints become rows.
 */
function build(
  { size, definitions = [], start }: ConflictRequest,
  constraints: readonly NamedRange[],
): Built {
  const lower = new Float64Array(size).fill(-Infinity);
  const upper = new Float64Array(size).fill(Infinity);
  const owners = Array.from({ length: size }, () => ({ lower: '', upper: '' }));
  const rows: LinearRange[] = [];
  const names: string[] = [];
  for (const range of constraints) {
    if (range.index.length !== 1 || range.value[0] !== 1) {
      rows.push(range);
      names.push(range.id);
      continue;
    }
    const at = range.index[0]!;
    if (range.min > lower[at]!) [lower[at], owners[at]!.lower] = [range.min, range.id];
    if (range.max < upper[at]!) [upper[at], owners[at]!.upper] = [range.max, range.id];
  }
  const idOf = (at: number) =>
    at < size ? [owners[at]!.lower, owners[at]!.upper] : [names[at - size] ?? ''];
  return {
    program: {
      costs: new Float64Array(size),
      lower,
      upper,
      rows,
      lazy: definitions,
      start: start ?? new Float64Array(size),
    },
    idOf,
  };
}

function feasibility(request: ConflictRequest, constraints: readonly NamedRange[]) {
  const { program, idOf } = build(request, constraints);
  const verdict = linearProgram(program);
  if (verdict.ok) return { ok: true as const };
  if (verdict.reason === 'step_limit') throw new RangeError('the linear programme reached its step limit');
  return { ok: false as const, ids: new Set(verdict.support.flatMap(idOf)) };
}

/**
 * Returns the smallest amount e by which all bounds with a name must be widened. Returns null if no e
 * suffices.
 */
function relaxed(request: ConflictRequest, constraints: readonly NamedRange[], id: string) {
  const { size } = request;
  const { program } = build(
    request,
    constraints.filter((each) => each.id !== id),
  );
  const extra = size;
  const moving = constraints.filter((each) => each.id === id);
  const sides = moving.flatMap((range) => [
    ...(range.min > -Infinity ? [{ range, sign: 1 as const }] : []),
    ...(range.max < Infinity ? [{ range, sign: -1 as const }] : []),
  ]);
  const rows = sides.map(({ range, sign }) => ({
    index: Int32Array.of(...range.index, extra),
    value: Float64Array.of(...range.value, sign),
    min: sign > 0 ? range.min : -Infinity,
    max: sign < 0 ? range.max : Infinity,
  }));
  const before = program.rows.length;
  const verdict = linearProgram({
    costs: Float64Array.of(...program.costs, 1),
    lower: Float64Array.of(...program.lower, 0),
    upper: Float64Array.of(...program.upper, Infinity),
    rows: [...program.rows, ...rows],
    lazy: program.lazy ?? [],
    start: Float64Array.of(...(program.start ?? []), 0),
  });
  if (!verdict.ok) return null;
  const { rowMultipliers, objective: by } = verdict.solution;
  const pushed = sides.filter((_, k) => Math.abs(rowMultipliers[before + k]!) > 1e-9);
  const values = new Set(pushed.map(({ range, sign }) => (sign > 0 ? range.min : range.max)));
  const signs = new Set(pushed.map(({ sign }) => sign));
  const [from] = values.size === 1 && signs.size === 1 ? values : [null];
  const side: Relaxation['side'] = signs.size > 1 ? 'both' : signs.has(1) ? 'min' : 'max';
  return {
    id,
    by,
    side,
    from: from ?? null,
    to: typeof from === 'number' ? from + (side === 'min' ? -by : by) : null,
  };
}
