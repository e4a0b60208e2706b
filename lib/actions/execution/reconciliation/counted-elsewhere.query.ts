import type { Em } from '#lib/database/base.ts';
import { CustodyObservation } from '../evidence/execution-evidence.entity.ts';
import { observationFacts } from '../evidence/observation.ts';
import { isMovement, movementKey } from './repeated-lines.ts';
import type { ObservationFacts } from './settlement-facts.ts';

/**
 * An observation of a batch, with the references of the lines that were counted as movements when the observation was
 * recorded.
 */
export type RecordedObservation = { facts: ObservationFacts; moved: readonly string[] };

/**
 * Returns the observations, each with the lines whose movement is counted in another batch. A movement belongs to the
 * batch in which it was counted when its observation was recorded. The source is locked while an observation is
 * recorded, so that a movement can be counted in only one batch.
 */
export async function withCountedElsewhere(
  em: Em,
  batchUid: string,
  recorded: readonly RecordedObservation[],
): Promise<ObservationFacts[]> {
  const requested = recorded.filter(
    ({ facts, moved }) => !facts.isEarly && isMovement(facts.status) && moved.length < facts.lines.length,
  );
  const taken = await movementsOfOthers(
    em,
    batchUid,
    requested.map(({ facts }) => facts.sourceReference),
  );
  return recorded.map(({ facts, moved }) => {
    if (!taken.size || facts.isEarly) return facts;
    const own = new Set(moved);
    const lines = facts.lines.filter(
      (line) => !own.has(line.reference) && taken.has(movementKey(facts, line)),
    );
    return { ...facts, countedElsewhere: lines.map(({ reference }) => reference) };
  });
}

/**
 * Returns the facts of a stored observation, with the references of the lines that were counted as movements when the
 * observation was recorded.
 */
export function recordedObservation(kept: CustodyObservation): RecordedObservation {
  const from = { ...kept, reference: kept.observationReference, countedElsewhere: [] };
  const moved = kept.reconciliation.lines.filter(({ level2 }) => level2.length > 0);
  return {
    facts: observationFacts(from, kept.content),
    moved: moved.map(({ line_reference }) => line_reference),
  };
}

async function movementsOfOthers(em: Em, batchUid: string, references: string[]): Promise<Set<string>> {
  if (!references.length) return new Set();
  const others = await em.find(CustodyObservation, {
    sourceReference: [...new Set(references)],
    batchUid: { $ne: batchUid },
    isEarly: false,
  });
  return new Set(
    others.map(recordedObservation).flatMap(({ facts, moved }) => {
      const counted = new Set(moved);
      const lines = facts.lines.filter(({ reference }) => counted.has(reference));
      return lines.map((line) => movementKey(facts, line));
    }),
  );
}
