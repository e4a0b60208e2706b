import { utcDate } from '#lib/core/clock.ts';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { canonicalHash } from '#lib/core/seal.ts';
import type { Em, Tenant } from '#lib/database/base.ts';
import { defineCommand } from '#lib/governance/command.ts';
import { knownPlace, unknownWorkspace } from '#lib/access/known-place.query.ts';
import { balancesOf, type Movement, type SnapshotContent } from './balances.ts';
import { lockLedger } from './ledger-lock.query.ts';
import { LedgerSnapshot } from './ledger-snapshot.entity.ts';
import { countLate, movementsAsOf, recordedBy } from './movement.query.ts';

/** The input of the command. The balances are taken at the end of the `asOf` day (UTC). */
type Input = Tenant & { asOf: string };

/**
 * The facts of the decision. `content` is undefined if a balance exceeds the range of JSON integers, or if the day is
 * not over.
 */
type Facts = { knownAt: Date; content: SnapshotContent | undefined; same: LedgerSnapshot | null };

type Verdict =
  | { ok: true; content: SnapshotContent }
  | { ok: false; code: 'day_not_over' | 'nothing_recorded' | 'amount_range' };

/**
 * Seals the balances of a ledger at the end of a day. If the transactions are unchanged, the existing snapshot is
 * returned. Otherwise, a further snapshot is sealed. The further snapshot states how many transactions were recorded
 * late. A sealed snapshot never changes.
 */
export const takeSnapshot = defineCommand<Input>()({
  find: knownPlace,
  unknown: 'workspace_unknown',
  lock: (em, _input, place) => lockLedger(em, place),
  async facts(em, _locked, { asOf }, { now }): Promise<Facts> {
    const knownAt = await recordedBy(em, now);
    const isOver = asOf < utcDate(now);
    const content = isOver ? contentOf(asOf, await movementsAsOf(em, { asOf, knownAt })) : undefined;
    const sealed = content && { asOf, sealedHash: canonicalHash(content) };
    return { knownAt, content, same: sealed ? await em.findOne(LedgerSnapshot, sealed) : null };
  },
  decide({ content }, { asOf }, { now }): Verdict {
    if (asOf >= utcDate(now)) return { ok: false, code: 'day_not_over' };
    if (content === undefined) return { ok: false, code: 'amount_range' };
    if (content.transactions.count === 0) return { ok: false, code: 'nothing_recorded' };
    return { ok: true, content };
  },
  async write(em, { same, knownAt }, { content }, { place, input }) {
    if (same) return { result: { snapshot: same, isNew: false } };
    const snapshot = await seal(em, content, { place, asOf: input.asOf, knownAt });
    return { result: { snapshot, isNew: true } };
  },
  entry: (_facts, _verdict, { asOf: as_of }, result) =>
    result?.isNew
      ? {
          op: 'ledger.snapshot_sealed',
          subject: { type: 'ledger_snapshot', uid: result.snapshot.uid },
          afterHash: result.snapshot.sealedHash,
          details: { as_of },
        }
      : undefined,
  refusals: {
    ...unknownWorkspace,
    day_not_over: 'The day is not over yet (UTC). Balances can be sealed only for past days.',
    amount_range: 'A balance exceeds the range of a JSON integer.',
    nothing_recorded: 'There are no recorded transactions booked by the end of this day.',
  },
});

async function seal(
  em: Em,
  content: SnapshotContent,
  { place, asOf, knownAt }: { place: Tenant; asOf: string; knownAt: Date },
): Promise<LedgerSnapshot> {
  const [previous] = await em.find(
    LedgerSnapshot,
    { asOf: { $lte: asOf } },
    { orderBy: { asOf: 'desc', uid: 'desc' }, limit: 1 },
  );
  return em.create(LedgerSnapshot, {
    uid: newUid(prefixes.ledgerSnapshot),
    workspaceUid: place.workspace,
    environment: place.environment,
    asOf,
    knownAt,
    content,
    sealedHash: canonicalHash(content),
    previousUid: previous?.uid ?? null,
    lateTransactions: previous ? await countLate(em, previous) : 0,
  });
}

/** Returns the content of a snapshot; undefined if a balance exceeds the range of JSON integers. */
function contentOf(asOf: string, movements: readonly Movement[]): SnapshotContent | undefined {
  try {
    return balancesOf(asOf, movements);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
