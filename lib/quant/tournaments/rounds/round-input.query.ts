import { Problem } from '#lib/core/problem.ts';
import type { Static } from 'typebox';
import type { Em } from '#lib/database/base.ts';
import { findNumericDataset } from '#lib/data/numeric-dataset.write.ts';
import { presentKnowledge } from '#lib/forecasting/forecast-request.query.ts';
import { metricSource } from '#lib/forecasting/series/metric-name.ts';
import { findRun } from '#lib/pipeline/run.write.ts';
import type { ResolvedEntry, TournamentInput } from '../tournament-input.schema.ts';
import type { TournamentResult } from '../tournament-result.schema.ts';
import type { RoundInput, RoundRequest } from './tournament-round.schema.ts';

/** Resolves a round: the entries of its tournament, and the data that is known now. */
export async function roundInput(
  em: Em,
  { tournament_uid, round }: Static<typeof RoundRequest>,
  now: Date,
): Promise<{ input: RoundInput; datasetRevisions: Record<string, number> }> {
  const found = await findRun(em, tournament_uid);
  if (!found?.result) throw new Problem('not_found', 'There is no such tournament.');
  const { metrics, frequency, window, horizon, horizons, loss } = found.run.input as TournamentInput;
  const { entries, baseline } = found.result.members['result'] as TournamentResult;
  const ofLedger = metrics.some(({ metric }) => metricSource(metric).kind === 'ledger');
  const { at, revisions } = await presentKnowledge(em, { now, ofLedger });
  const pinned = await Promise.all(entries.map((entry) => withNewestDataset(em, entry)));
  const input: RoundInput = {
    tournament_uid,
    round,
    metrics,
    frequency,
    as_of: at.toISOString(),
    entries: pinned,
    baseline,
    window,
    horizon,
    horizons,
    loss,
  };
  return { input, datasetRevisions: revisions };
}

/** Pins the newest content of the dataset of an entry that reads predictions. */
async function withNewestDataset(em: Em, entry: ResolvedEntry): Promise<ResolvedEntry> {
  if (!entry.dataset) return entry;
  const found = await findNumericDataset(em, entry.dataset.id);
  if (!found) return entry;
  const { id, revision, contentHash: content_hash } = found;
  return { ...entry, dataset: { id, revision, content_hash } };
}
