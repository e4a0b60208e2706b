import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { knownPlace, unknownWorkspace } from '#lib/access/known-place.query.ts';
import { utcDate } from '#lib/core/clock.ts';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { collectFaults } from '#lib/data/import/load/collect-faults.ts';
import { rejectLines } from '#lib/data/import/load/reject-lines.ts';
import { discardingRejects, rejectsFileOf, type SkippedRows } from '#lib/data/import/load/skipped-rows.ts';
import type { ReadProgress } from '#lib/data/import/readers/line-block.ts';
import type { Mapping } from '#lib/data/import/readers/mapping.ts';
import { RowReader } from '#lib/data/import/readers/row-reader.ts';
import type { Tenant } from '#lib/database/base.ts';
import { defineCommand, personOf } from '#lib/governance/command.ts';
import { eventColumns } from './event-columns.ts';
import { eventParser, type EventRow } from './event-row.ts';
import { stageEvents } from './event-staging.write.ts';
import { insertConsistent } from './insert-consistent.write.ts';
import { lockPortfolios } from './portfolio-lock.query.ts';
import { keyedPortfolios } from './portfolio.query.ts';
import { createRejected, rejectedLines, rejectFaulty } from './rejected-events.write.ts';
import { eventFaults } from './staged-events.query.ts';
import { unknownSymbols } from './staged-symbols.query.ts';
import { registerSymbols } from './staged-symbols.write.ts';

type Input = Tenant &
  SkippedRows & {
    path: string;
    mapping?: Mapping | undefined;
    /** Whether events without a `known_at` are known from now on, instead of from the end of their trade date. */
    isKnownNow?: boolean;
    /** Whether unknown symbols are registered as instruments. Otherwise their rows are faulty. */
    isRegistering?: boolean;
    onProgress?: ((progress: ReadProgress & { rows: number }) => void) | undefined;
  };

/**
 * Imports a file of portfolio events: the whole file or, with an `ImportRefused`, nothing. With `skipBad`, faulty rows
 * are left out. An event that is already recorded is skipped. A row with the reference of a recorded event but other
 * content is a correction. The correction is known from the row's `known_at` or from now on. An event from which the
 * lots of its portfolio could not be derived is faulty.
 */
export const importEvents = defineCommand<Input>()({
  find: knownPlace,
  unknown: 'workspace_unknown',
  // The file is read before the lock, so that settlements and submissions do not wait for it.
  lock: async () => undefined,
  async facts(em, _locked, input, { place, now }) {
    const { path, mapping, onProgress, skipBad, isRegistering } = input;
    const portfolios = await keyedPortfolios(em, place);
    const hash = createHash('sha256');
    const time = { now, today: utcDate(now) };
    const rejects = rejectsFileOf(input);
    return discardingRejects(rejects, async () => {
      const reader = new RowReader<EventRow>({
        path,
        rules: eventColumns,
        mapping,
        parser: (columns) => eventParser(columns, portfolios, time),
        rejects,
        hash,
        onProgress,
      });
      await stageEvents(em, reader);
      await lockPortfolios(em, place);
      const faults = eventFaults(isRegistering ? undefined : unknownSymbols(em, place));
      await collectFaults(em, reader.faults, faults);
      if (reader.faults.total > 0 && !skipBad) throw reader.faults.refusal();
      if (skipBad) {
        await createRejected(em);
        if (reader.faults.total > 0) await rejectFaulty(em, faults);
      }
      return { reader, rejects, contentHash: hash.digest('hex') };
    });
  },
  decide: (): { ok: true } => ({ ok: true }),
  async write(em, { reader, rejects, contentHash }, _verdict, at) {
    const { place, input, now } = at;
    const uid = newUid(prefixes.portfolioImport);
    const file = { kind: 'events', fileName: basename(input.path), contentHash } as const;
    const { read, faults } = reader;
    const made = { uid, place, read, faults, facts: { ...file, person: personOf(at), now } };
    return discardingRejects(rejects, async () => {
      const rows = await insertConsistent(em, made, input);
      const registered = input.isRegistering ? await registerSymbols(em, place.workspace, now) : 0;
      if (rejects) await rejectLines(input.path, rejectedLines(em), rejects);
      await rejects?.close();
      const rejectsPath = rejects?.rows ? rejects.path : undefined;
      return { result: { uid, contentHash, registered, rows, rejectsPath } };
    });
  },
  entry: (_facts, _verdict, _input, imported) =>
    imported && {
      op: 'portfolio.imported',
      subject: { type: 'portfolio_import', uid: imported.uid },
      details: {
        kind: 'events',
        content_hash: imported.contentHash,
        rows: imported.rows,
        registered_symbols: imported.registered,
      },
    },
  refusals: unknownWorkspace,
});
