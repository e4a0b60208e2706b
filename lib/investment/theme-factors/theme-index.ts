/** Level of every theme index at the base month, before the first return month. */
export const BASE_LEVEL = 100;

/**
 * Computes the levels of an index from its simple returns: 100 at the base month, multiplied by 1 + r month by month. A
 * month without a return is a gap and has no level. The next return continues from the last level, so a gap counts as a
 * zero return. `gaps` is the number of gaps. Source: specification of svc_theme_factor_ridge_v1, step 11.
 *
 * Example: `chainIndex([0.5, null, 0.5])` has the levels 150, null and 225, and one gap.
 */
export function chainIndex(returns: readonly (number | null)[]): { levels: (number | null)[]; gaps: number } {
  let level = BASE_LEVEL;
  let gaps = 0;
  const levels = returns.map((value) => {
    if (value === null) {
      gaps += 1;
      return null;
    }
    level *= 1 + value;
    return level;
  });
  return { levels, gaps };
}
