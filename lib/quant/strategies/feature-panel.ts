import { daysBetween } from '#lib/core/date.ts';
import type { FeatureValues } from './strategy-data.ts';
import type { Panel } from './signal-panel.ts';

/**
 * A stored state of a value: `value` is the value of the day `event`, known from the day `known` on. NaN
 * withdraws the value.
 */
type State = { event: string; known: string; value: number };

/**
 * Returns the values of a feature as they were known at the end of each session: the value of the newest
 * event that had happened and was known. A value older than the maximum age of the feature is missing.
 */
export function featurePanel(
  { entities, maxAgeDays }: FeatureValues,
  { sessions, symbols }: { sessions: readonly string[]; symbols: readonly string[] },
): Panel {
  const K = symbols.length;
  const panel = new Float64Array(sessions.length * K).fill(Number.NaN);
  const placeOf = new Map(symbols.map((symbol, k) => [symbol, k]));
  for (const { entity, values } of entities) {
    const k = placeOf.get(entity);
    if (k === undefined) continue;
    knownValues(statesOf(values), sessions, maxAgeDays).forEach((value, t) => (panel[t * K + k] = value));
  }
  return panel;
}

function statesOf(values: string): State[] {
  return values.split(',').map((each) => {
    const [event, known, value] = each.split(' ') as [string, string, string];
    // A value that became known before its event is used from the event on.
    return { event, known: known < event ? event : known, value: value === '-' ? Number.NaN : Number(value) };
  });
}

function knownValues(states: State[], sessions: readonly string[], maxAgeDays: number): Float64Array {
  const waiting = states.sort((one, other) =>
    one.known < other.known ? -1 : one.known > other.known ? 1 : 0,
  );
  const held = new Map<string, number>();
  let latest = '';
  let next = 0;
  return Float64Array.from(sessions, (session) => {
    for (; next < waiting.length && waiting[next]!.known <= session; next += 1) {
      const { event, value } = waiting[next]!;
      if (Number.isNaN(value)) held.delete(event);
      else held.set(event, value);
      if (Number.isNaN(value) && event === latest) latest = lastOf(held);
      else if (!Number.isNaN(value) && event > latest) latest = event;
    }
    if (latest === '' || daysBetween(latest, session) > maxAgeDays) return Number.NaN;
    return held.get(latest)!;
  });
}

function lastOf(held: ReadonlyMap<string, number>): string {
  let last = '';
  for (const event of held.keys()) if (event > last) last = event;
  return last;
}
