import { appendAudit } from '#lib/audit/audit.repository.ts';
import { Refusal } from '#lib/core/refusal.ts';
import { sha256 } from '#lib/core/seal.ts';
import type { Em, Tenant } from '#lib/database/base.ts';
import { readObligation } from '../obligation.ts';
import { registerObligation } from '../obligation.repository.ts';

export type SampleObligation = {
  tenant: Tenant;
  /** The person who registers it, and the application that it is registered for. */
  by: string;
  application: string;
  counterparty: number;
  currency: string;
  suffix: string;
  now: Date;
};

/** Registers a payable of 50,000 to a counterparty, which a delegation can be used on. */
export async function writeSampleObligation(
  em: Em,
  { tenant, by, application, counterparty, currency, suffix, now }: SampleObligation,
): Promise<{ uid: string }> {
  const reference = `INVOICE${suffix}`;
  const read = readObligation({
    counterparty_id: counterparty,
    obligation_type: 'trade_payable',
    source_system: 'sample_ledger',
    source_reference: reference,
    source_hash: sha256(reference),
    facility_reference: null,
    currency,
    original_amount: '50000',
    outstanding_amount: '50000',
    available_amount: null,
    status: null,
    due_date: null,
  });
  if (!read.ok) throw new Refusal('sample_invalid', JSON.stringify(read.faults));
  const { obligation } = await registerObligation(em, {
    sourceSystem: 'sample_ledger',
    sourceReference: reference,
    sourceHash: read.sourceHash,
    hashGrade: read.hashGrade,
    content: read.content,
    application,
    now,
  });
  const { uid } = obligation;
  await em.flush();
  const subject = { type: 'obligation', uid };
  await appendAudit(
    em,
    { op: 'obligation.registered', at: now, actor: { kind: 'person', uid: by }, subject },
    tenant,
  );
  return { uid };
}
