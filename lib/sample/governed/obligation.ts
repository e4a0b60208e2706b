import { sha256 } from '#lib/core/seal.ts';
import type { OfferedObligation } from '#lib/actions/obligations/obligation.ts';
import { SAMPLE_CURRENCY } from './records.ts';

/** Returns the source of a payable of 50,000 to a counterparty. A delegation of the sample can be used to pay it. */
export function sampleObligation(counterparty: number, suffix: string): OfferedObligation {
  const reference = `INVOICE${suffix}`;
  return {
    counterparty_id: counterparty,
    obligation_type: 'trade_payable',
    source_system: 'sample_ledger',
    source_reference: reference,
    source_hash: sha256(reference),
    facility_reference: null,
    currency: SAMPLE_CURRENCY,
    original_amount: '50000',
    outstanding_amount: '50000',
    available_amount: null,
    status: null,
    due_date: null,
  };
}
