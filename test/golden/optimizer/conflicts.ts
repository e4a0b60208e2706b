import { explainConflict, namedBound, type NamedRange } from '#lib/numerics/optimisation/conflict.ts';
import { linearRange, sumRange } from '#lib/numerics/optimisation/linear-range.ts';
import { asList, asMembers, asNumber, asText } from '../golden-file.ts';
import { GoldenFileError } from '../report.ts';
import type { ProblemCheck } from './problems.ts';
import type { Universe } from './universe.ts';

const DISTANCE = 1e-9;

/**
 * Compares the minimal conflict. Also compares the smallest relaxation of the sum with `shortfall`, and the smallest
 * relaxation of the target return with `largest_return`, if the file has them.
 */
export const checkConflict: ProblemCheck = ({ tally, universe, problem, name }) => {
  const constraints = asList(problem['constraints'], `${name}.constraints`).flatMap((value) => {
    const { id, text } = asMembers(value, `${name}.constraints`);
    return rangesOf(universe, asText(id, `${name}.id`), asText(text, `${name}.text`));
  });
  const { symbols } = universe;
  // Without a constraint `bounds`, the golden values assume weights of at least 0.
  if (!constraints.some(({ id }) => id === 'bounds'))
    constraints.push(...symbols.map((_, i) => namedBound('not short', i, { min: 0 })));
  const found = explainConflict({ size: symbols.length, constraints });
  const expected = asList(problem['minimal_conflict'], `${name}.minimal_conflict`).map((each) =>
    asText(each, name),
  );
  const conflict = (found?.conflict ?? []).filter((id) => id !== 'not short');
  tally.equal(`${name}.minimal_conflict`, expected.toSorted().join(), conflict.toSorted().join());
  const relaxed = (id: string) => found?.relax.find((each) => each.id === id);
  if (problem['shortfall'] !== undefined) {
    const shortfall = asNumber(problem['shortfall'], `${name}.shortfall`);
    tally.number(`${name}.shortfall`, shortfall, relaxed('sum')?.by ?? Number.NaN, DISTANCE);
  }
  if (problem['largest_return'] !== undefined) {
    const largest = asNumber(problem['largest_return'], `${name}.largest_return`);
    tally.number(`${name}.largest_return`, largest, relaxed('target')?.to ?? Number.NaN, DISTANCE);
  }
};

/** Parses the text of a constraint. Throws a `GoldenFileError` on an unknown text. */
function rangesOf({ symbols, means }: Universe, id: string, text: string): NamedRange[] {
  const all = symbols.map((_, i) => i);
  if (text === 'sum w = 1') return [{ id, ...sumRange(all, { min: 1, max: 1 }) }];
  const target = /^mu w >= (\S+)$/.exec(text);
  if (target) return [{ id, ...linearRange(means, { min: Number(target[1]) }) }];
  const bounds = /^(\S+) <= w(?:_i)? <= ([^\s,]+)/.exec(text);
  if (bounds) return all.map((i) => namedBound(id, i, { min: Number(bounds[1]), max: Number(bounds[2]) }));
  const group = /^sum of \[(.*)\] (<=|>=) (\S+)$/.exec(text);
  if (!group) throw new GoldenFileError(`the constraint ${JSON.stringify(text)} is not known`);
  const members = [...group[1]!.matchAll(/'([^']+)'/g)].map(([, symbol]) => symbols.indexOf(symbol!));
  const side = Number(group[3]);
  const sorted = members.toSorted((one, other) => one - other);
  return [{ id, ...sumRange(sorted, group[2] === '<=' ? { max: side } : { min: side }) }];
}
