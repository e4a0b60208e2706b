import type { ResolvedEntry, TournamentInput } from './tournament-input.schema.ts';
import { seasonOf, type TournamentData } from './tournament-series.ts';

/** The entries, including the baseline. */
export type Entered = { entries: ResolvedEntry[]; baseline: number };

/**
 * Returns the entries of a tournament with its baseline. The baseline is added as the last entry unless the same method
 * is entered. If another entry has the name of the baseline, the name of the baseline ends with `.baseline`.
 */
export function enteredIn({ task, entries, baseline }: TournamentInput, { series }: TournamentData): Entered {
  const hasSeason = series.some((facts) => facts.reason === null && seasonOf(facts) > 1);
  const auto = task === 'dataset' ? 'last_value' : hasSeason ? 'seasonal_naive' : 'naive';
  const added = baselineEntry(baseline === 'auto' ? auto : baseline);
  const at = entries.findIndex(({ kind, method }) => kind === added.kind && method === added.method);
  if (at >= 0) return { entries, baseline: at };
  const isTaken = entries.some(({ name }) => name === added.name);
  const name = isTaken ? `${added.name}.baseline` : added.name;
  return { entries: [...entries, { ...added, name }], baseline: entries.length };
}

function baselineEntry(name: string): ResolvedEntry {
  if (name === 'mean') return { name, kind: 'mean', method: null };
  return { name, kind: 'statistical', method: name === 'last_value' ? 'naive' : name };
}
