import { systemClock } from '#lib/core/clock.ts';
import { sha256 } from '#lib/core/seal.ts';
import type { Em } from '#lib/database/base.ts';
import { readObligation } from '#lib/actions/obligation.ts';
import { registerObligation } from '#lib/actions/obligation.repository.ts';
import { record } from '../record.ts';
import { Refusal } from '#lib/core/refusal.ts';
import type { Makers } from './sample.ts';

/** A payable of 50,000 to the counterparty, which a delegation can be used on. */
export async function sampleObligation(
  em: Em,
  { tenant, grantor }: Makers,
  of: { counterparty: number; currency: string; application: string; suffix: string },
): Promise<{ uid: string }> {
  const reference = `INVOICE${of.suffix}`;
  const read = readObligation({
    counterparty_id: of.counterparty,
    obligation_type: 'trade_payable',
    source_system: 'sample_ledger',
    source_reference: reference,
    source_hash: sha256(reference),
    facility_reference: null,
    currency: of.currency,
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
    application: of.application,
    now: systemClock.now(),
  });
  const { uid } = obligation;
  await record(em, {
    ...tenant,
    op: 'obligation.registered',
    by: grantor,
    subject: { type: 'obligation', uid },
  });
  return { uid };
}
