import { sql } from 'kysely';
import { utcDate } from '#lib/core/clock.ts';
import type { FaultList } from '#lib/data/import/load/fault-list.ts';
import type { Em, Tenant } from '#lib/database/base.ts';
import { countStaged, insertEvents } from './event.write.ts';
import { inconsistencies } from './inconsistency.query.ts';
import { recordImport, type ImportFacts } from './portfolio.write.ts';
import { countAccepted, rejectEvent } from './rejected-events.write.ts';

/** Maximum number of times that contradicting events are left out and the lots are derived again. */
const ROUNDS_MAX = 100;

export type EventRows = {
  read: number;
  inserted: number;
  corrected: number;
  unchanged: number;
  rejected: number;
};

type EventImport = {
  uid: string;
  place: Tenant;
  /** The number of rows of the file. */
  read: number;
  faults: FaultList;
  facts: Pick<ImportFacts, 'kind' | 'fileName' | 'contentHash' | 'person' | 'now'>;
};

type Options = { isKnownNow?: boolean | undefined; skipBad?: boolean | undefined };

/**
 * Records an import with its staged events, and derives the lots of their portfolios. If an event contradicts other
 * events, the import is refused with an `ImportRefused`. With `skipBad`, the event is rejected instead, and the lots
 * are derived again without it. The import is still refused if the contradicting event is not in the file, if no row
 * remains, or after `ROUNDS_MAX` derivations.
 */
export async function insertConsistent(
  em: Em,
  given: EventImport,
  { isKnownNow = false, skipBad = false }: Options,
): Promise<EventRows> {
  for (let round = 1; ; round += 1) {
    const accepted = await countAccepted(em);
    if (accepted === 0) throw given.faults.refusal();
    await sql`savepoint consistent_events`.execute(em.getKysely());
    const rows = await insertStaged(em, given, { accepted, isKnownNow });
    const found = await inconsistencies(em, utcDate(given.facts.now));
    if (found.length === 0) return rows;
    for (const { fault } of found) given.faults.add(fault);
    const isRejectable = found.every(({ isStaged }) => isStaged);
    if (!skipBad || !isRejectable || round === ROUNDS_MAX) throw given.faults.refusal();
    await sql`rollback to savepoint consistent_events`.execute(em.getKysely());
    for (const { portfolioUid, reference, fault } of found)
      await rejectEvent(em, { portfolioUid, reference, reason: fault.reason });
  }
}

async function insertStaged(
  em: Em,
  { uid, place, read, facts }: EventImport,
  { accepted, isKnownNow }: { accepted: number; isKnownNow: boolean },
): Promise<EventRows> {
  const counts = await countStaged(em);
  const unchanged = accepted - counts.inserted - counts.corrected;
  const rows = { read, ...counts, unchanged, rejected: read - accepted };
  await recordImport(em, uid, place, { ...facts, ...rows });
  await insertEvents(em, uid, { place, now: facts.now, isKnownNow });
  return rows;
}
