const BARS = '▁▂▃▄▅▆▇█';

/** Draws a series as a line of bars. A null is drawn as a blank. */
export function sparkline(values: readonly (number | null)[], width = 24): string {
  const picked = Array.from(
    { length: Math.min(width, values.length) },
    (_, at) => values[Math.floor(((at + 1) * values.length) / Math.min(width, values.length)) - 1]!,
  );
  const known = picked.filter((value) => value !== null);
  const low = Math.min(...known);
  const span = Math.max(...known) - low || 1;
  return picked
    .map((value) => (value === null ? ' ' : BARS[Math.min(7, Math.floor(((value - low) / span) * 8))]))
    .join('');
}
