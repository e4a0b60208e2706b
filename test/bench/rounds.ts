import { median } from 'simple-statistics';
import type { Row } from './bench.ts';

/**
 * Measures the subject and the peer once per round, and alternates their order from round to round. Returns
 * the figures of each, round by round.
 */
export async function interleave<Side extends string>(
  rounds: number,
  sides: Readonly<Record<Side, () => Promise<number>>>,
): Promise<Record<Side, number[]>> {
  const names = Object.keys(sides) as Side[];
  const figures = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Side, number[]>;
  for (let round = 0; round < rounds; round += 1) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) figures[name].push(await sides[name]());
  }
  return figures;
}

/** Summarizes the rounds of a subject and its peer. */
export function compare(
  subject: readonly number[],
  peer: readonly number[],
): Pick<Row, 'figure' | 'peer' | 'ratio' | 'spread'> {
  const ratios = subject.map((figure, round) => figure / peer[round]!);
  return {
    figure: median([...subject]),
    peer: median([...peer]),
    ratio: median(ratios),
    spread: [Math.min(...ratios), Math.max(...ratios)],
  };
}

export type Bound = { min: number } | { max: number };

/** Returns a row whose target is a bound on the ratio. */
export function ratioRow(
  about: Pick<Row, 'bench' | 'case' | 'unit' | 'note'>,
  figures: { subject: readonly number[]; peer: readonly number[] },
  bound: Bound | null,
): Row {
  const compared = compare(figures.subject, figures.peer);
  return { ...about, ...compared, ...judge(compared.ratio!, bound) };
}

function judge(ratio: number, bound: Bound | null): Pick<Row, 'target' | 'met'> {
  if (bound === null) return { target: null, met: null };
  return 'min' in bound
    ? { target: `>= ${bound.min} x`, met: ratio >= bound.min }
    : { target: `<= ${bound.max} x`, met: ratio <= bound.max };
}
