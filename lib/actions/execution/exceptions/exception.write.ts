import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import type { Em } from '#lib/database/base.ts';
import type { Entry } from '#lib/governance/command.ts';
import { CustodyObservation, ExecutionException } from '../evidence/execution-evidence.entity.ts';
import type { Finding } from '../reconciliation/findings.ts';
import type { OrderBatch } from '../batch/order-batch.entity.ts';

/**
 * Updates the exceptions of a batch to its current findings. The caller's transaction must hold the lock of
 * the batch. An open exception that no longer has a finding is resolved. An exception whose finding changed
 * keeps its opening time. Returns the audit entries of the opened and the ended exceptions.
 */
export async function syncExceptions(
  em: Em,
  batch: OrderBatch,
  live: readonly Finding[],
  now: Date,
): Promise<Entry[]> {
  const entries: Entry[] = [];
  const { uid: batchUid, workspaceUid, environment } = batch;
  const rows = await em.find(
    ExecutionException,
    { batchUid, state: ['open', 'acknowledged'] },
    { orderBy: { uid: 'asc' } },
  );
  const observations = await em.find(CustodyObservation, { batchUid });
  const observed = new Map(
    observations.map(({ uid, custodian, observationReference }) => [
      `${custodian}/${observationReference}`,
      uid,
    ]),
  );
  const found = new Set(live.map(({ key }) => key));
  const open = new Map(rows.map((row) => [row.key, row]));
  for (const row of rows.filter(({ key }) => !found.has(key))) {
    em.assign(row, { state: 'resolved', endedBy: 'evidence', endedAt: now });
    entries.push(entryOf('exception.resolved', row));
  }
  for (const finding of live) {
    const { key, fingerprint, kind, severity, orderUid, lineReference, currency, amountMinor } = finding;
    const observationUid = finding.observationKey === null ? null : observed.get(finding.observationKey)!;
    const said = { orderUid, observationUid, lineReference, currency, amountMinor };
    const text = { explanation: finding.explanation, causes: [...finding.causes] };
    const row = open.get(key);
    if (row?.fingerprint === fingerprint) continue;
    if (row) em.assign(row, { fingerprint, ...said, ...text });
    else {
      const opened = em.create(ExecutionException, {
        uid: newUid(prefixes.executionException),
        workspaceUid,
        environment,
        batchUid,
        key,
        fingerprint,
        kind,
        severity,
        state: 'open',
        ...said,
        ...text,
        openedAt: now,
      });
      entries.push(entryOf('exception.opened', opened));
    }
  }
  return entries;
}

function entryOf(
  op: 'exception.opened' | 'exception.resolved',
  { uid, kind, batchUid }: ExecutionException,
): Entry {
  const details = { kind, batch_uid: batchUid, ...(op === 'exception.resolved' ? { by: 'evidence' } : {}) };
  return { op, subject: { type: 'execution_exception', uid }, details };
}
