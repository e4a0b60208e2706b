import { systemClock } from '#lib/core/clock.ts';
import { sha256 } from '#lib/core/seal.ts';
import type { Em } from '#lib/database/base.ts';
import { registerObligation } from '#lib/actions/register-obligation.command.ts';
import { carryOut } from '#lib/governance/govern.ts';
import { Refusal } from '#lib/core/refusal.ts';
import type { Makers } from './sample.ts';

/** A payable of 50,000 to the counterparty, which a delegation can be used on. */
export async function sampleObligation(
  em: Em,
  { tenant }: Makers,
  of: { counterparty: number; currency: string; application: string; suffix: string },
): Promise<{ uid: string }> {
  const reference = `INVOICE${of.suffix}`;
  const offered = {
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
  };
  const by = {
    actor: { kind: 'application' as const, uid: of.application },
    place: tenant,
    clock: systemClock,
  };
  const made = await carryOut(em, registerObligation, { ...tenant, offered }, by);
  if (!made.ok) throw new Refusal(made.code, made.detail);
  return { uid: made.result.obligation.uid };
}
