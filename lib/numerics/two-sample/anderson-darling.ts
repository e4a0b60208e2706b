/**
 * Returns the standardised Anderson-Darling statistic of two ascending samples, with mid-ranks for ties: about 0 for
 * equal distributions, 1.96 at the 5 % level, 3.75 at 1 %. Returns null if all values are equal, or if there are fewer
 * than four values.
 *
 * Source: Scholz and Stephens, "K-Sample Anderson-Darling Tests" (JASA 1987), equations 4, 7 and the table for k = 2.
 *
 * Example: for [1, 2] against [1.5, 2.5, 3.5] the statistic is 0.06348850890335338.
 */
export function andersonDarling(reference: ArrayLike<number>, current: ArrayLike<number>): number | null {
  const n = reference.length;
  const m = current.length;
  const size = n + m;
  if (n === 0 || m === 0 || size < 4) return null;
  let [i, j, ofReference, ofCurrent, groups] = [0, 0, 0, 0, 0];
  while (i < n || j < m) {
    const at = i === n ? current[j]! : j === m ? reference[i]! : Math.min(reference[i]!, current[j]!);
    const [fromI, fromJ] = [i, j];
    while (i < n && reference[i] === at) i += 1;
    while (j < m && current[j] === at) j += 1;
    groups += 1;
    const tied = i - fromI + j - fromJ;
    const below = fromI + fromJ + tied / 2;
    const spread = below * (size - below) - (size * tied) / 4;
    if (!(spread > 0)) continue;
    const one = size * (fromI + (i - fromI) / 2) - below * n;
    const other = size * (fromJ + (j - fromJ) / 2) - below * m;
    ofReference += ((tied / size) * one * one) / spread;
    ofCurrent += ((tied / size) * other * other) / spread;
  }
  if (groups < 2) return null;
  const statistic = ((size - 1) / size) * (ofReference / n + ofCurrent / m);
  return (statistic - 1) / Math.sqrt(varianceOfTwo(n, m));
}

function varianceOfTwo(n: number, m: number): number {
  const size = n + m;
  const k = 2;
  const H = 1 / n + 1 / m;
  let h = 0;
  let g = 0;
  for (let l = size - 1; l > 1; l -= 1) {
    h += 1 / l;
    g += h / (size - l + 1);
  }
  h += 1;
  const a = (4 * g - 6) * (k - 1) + (10 - 6 * g) * H;
  const b = (2 * g - 4) * k * k + 8 * h * k + (2 * g - 14 * h - 4) * H - 8 * h + 4 * g - 6;
  const c = (6 * h + 2 * g - 2) * k * k + (4 * h - 4 * g + 6) * k + (2 * h - 6) * H + 4 * h;
  const d = (2 * h + 6) * k * k - 4 * h * k;
  return (((a * size + b) * size + c) * size + d) / ((size - 1) * (size - 2) * (size - 3));
}
