/**
 * Ranks values from 1 for the smallest; equal values share their mean rank. The rank of NaN is NaN, and NaN is not
 * counted.
 * Source: Kendall, "The treatment of ties in ranking problems" (1945), mid-ranks; `rank(method='average')` of pandas.
 *
 * Example: `averageRanks([5, 1, 5, NaN])` is `[2.5, 1, 2.5, NaN]`. No values give an empty array.
 */
export function averageRanks(values: ArrayLike<number>): Float64Array {
  const ranks = new Float64Array(values.length).fill(Number.NaN);
  const places = Array.from(ranks, (_, place) => place)
    .filter((place) => !Number.isNaN(values[place]!))
    .sort((one, other) => values[one]! - values[other]! || one - other);
  for (let first = 0; first < places.length;) {
    let last = first;
    while (last + 1 < places.length && values[places[last + 1]!] === values[places[first]!]) last += 1;
    for (let at = first; at <= last; at += 1) ranks[places[at]!] = (first + last) / 2 + 1;
    first = last + 1;
  }
  return ranks;
}
