import type { RunState } from '#lib/pipeline/run.ts';
import type { ForecastInput } from './forecasts.schema.ts';

export const BATCH_ITEMS_MAX = 5_000;

/** The options shared by all forecasts of a batch. */
export type ForecastOptionsOnRecord = Pick<ForecastInput, 'method' | 'levels' | 'calendar' | 'frequency'> & {
  /** Whether the metric cannot be negative; null if the default of the metric applies. */
  non_negative: boolean | null;
};

export const batchStates = ['queued', 'running', 'finished', 'cancelled'] as const;
export type BatchState = (typeof batchStates)[number];

/** States of an item: `refused` if the item did not become a run, otherwise the state of its run. */
export const itemStates = ['queued', 'running', 'succeeded', 'failed', 'cancelled', 'refused'] as const;
export type ItemState = RunState | 'refused';

export type BatchCounts = Readonly<Record<ItemState, number>>;

/**
 * Returns the state and the progress of a batch. An item is open while it is queued or running. A batch with open items
 * is `running` if an item has started or ended, otherwise `queued`. A batch without open items is `cancelled` if a
 * cancellation ended its last items, otherwise `finished`. Progress is the share of the items that are not open, from 0
 * to 1.
 */
export function batchState(
  counts: BatchCounts,
  isCancelled: boolean,
): { state: BatchState; progress: number } {
  const open = counts.queued + counts.running;
  const ended = counts.succeeded + counts.failed + counts.cancelled;
  const all = open + ended + counts.refused;
  const progress = all === 0 ? 1 : (all - open) / all;
  if (open === 0) return { state: isCancelled ? 'cancelled' : 'finished', progress };
  return { state: counts.running + ended > 0 ? 'running' : 'queued', progress };
}
