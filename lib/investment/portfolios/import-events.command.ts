import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { knownPlace, unknownWorkspace } from '#lib/access/known-place.query.ts';
import { utcDate } from '#lib/core/clock.ts';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import type { ReadProgress } from '#lib/data/import/readers/line-block.ts';
import type { Mapping } from '#lib/data/import/readers/mapping.ts';
import { RowReader } from '#lib/data/import/readers/row-reader.ts';
import type { Tenant } from '#lib/database/base.ts';
import { defineCommand, personOf } from '#lib/governance/command.ts';
import { eventColumns } from './event-columns.ts';
import { eventParser, type EventRow } from './event-row.ts';
import { stageEvents } from './event-staging.write.ts';
import { countStaged, insertEvents } from './event.write.ts';
import { inconsistencies } from './inconsistency.query.ts';
import { lockPortfolios } from './portfolio-lock.query.ts';
import { keyedPortfolios } from './portfolio.query.ts';
import { recordImport } from './portfolio.write.ts';
import { findEventFaults } from './staged-events.query.ts';

type Input = Tenant & {
  path: string;
  mapping?: Mapping | undefined;
  /** Whether events without a `known_at` are known from now on, instead of from the end of their trade date. */
  isKnownNow?: boolean;
  onProgress?: ((progress: ReadProgress & { rows: number }) => void) | undefined;
};

/**
 * Imports a file of portfolio events: the whole file or, with an `ImportRefused`, nothing. An event that is
 * already recorded is skipped. A row with the reference of a recorded event but other content is a
 * correction, which is known from its `known_at` or from now on. The file is refused if the lots of its
 * portfolios could not be derived after the import.
 */
export const importEvents = defineCommand<Input>()({
  find: knownPlace,
  unknown: 'workspace_unknown',
  // The file is read before the lock, so that settlements and submissions do not wait for it.
  lock: async () => undefined,
  async facts(em, _locked, { path, mapping, onProgress }, { place, now }) {
    const portfolios = await keyedPortfolios(em, place);
    const hash = createHash('sha256');
    const time = { now, today: utcDate(now) };
    const reader = new RowReader<EventRow>({
      path,
      rules: eventColumns,
      mapping,
      parser: (columns) => eventParser(columns, portfolios, time),
      hash,
      onProgress,
    });
    await stageEvents(em, reader);
    await lockPortfolios(em, place);
    await findEventFaults(em, reader.faults);
    if (reader.faults.total > 0) throw reader.faults.refusal();
    return { reader, contentHash: hash.digest('hex') };
  },
  decide: (): { ok: true } => ({ ok: true }),
  async write(em, { reader, contentHash }, _verdict, at) {
    const { place, input, now } = at;
    const uid = newUid(prefixes.portfolioImport);
    const fileName = basename(input.path);
    const counts = await countStaged(em);
    const read = reader.read;
    const facts = { kind: 'events', fileName, contentHash, read, person: personOf(at), now } as const;
    const rows = { ...counts, unchanged: read - counts.inserted - counts.corrected };
    await recordImport(em, uid, place, { ...facts, ...rows });
    await insertEvents(em, uid, { place, now, isKnownNow: input.isKnownNow ?? false });
    for (const fault of await inconsistencies(em, utcDate(now))) reader.faults.add(fault);
    if (reader.faults.total > 0) throw reader.faults.refusal();
    return { result: { uid, contentHash, rows: { read, ...rows } } };
  },
  entry: (_facts, _verdict, _input, imported) =>
    imported && {
      op: 'portfolio.imported',
      subject: { type: 'portfolio_import', uid: imported.uid },
      details: { kind: 'events', content_hash: imported.contentHash, rows: imported.rows },
    },
  refusals: unknownWorkspace,
});
