import { minorDigits } from '#lib/core/money.ts';
import { canonicalHash } from '#lib/core/seal.ts';
import { gradeHash, type HashGrade } from '#lib/governance/evidence.ts';

/** The types of agreement. The type determines which parties can be called for collateral. */
export const agreementTypes = [
  'bilateral',
  'one_way_in_favour',
  'one_way_against',
  'call_only',
  'post_only',
  'tri_party',
  'cleared',
  'uncollateralised',
  'other',
] as const;
export type AgreementType = (typeof agreementTypes)[number];

/**
 * The terms of an agreement as the caller supplies them. Assay infers no terms, and never states that an agreement is
 * enforceable.
 */
export type NettingSetTerms = {
  name: string;
  counterparty_id: number;
  agreement_type: string;
  currency: string;
  threshold_minor: number | null;
  minimum_transfer_minor: number;
  independent_amount_minor: number;
  amount_scale: number;
};

export type NettingSetFault = {
  pointer: string;
  code:
    | 'unknown_agreement_type'
    | 'invalid_currency'
    | 'amount_scale_mismatch'
    | 'terms_inconsistent'
    | 'invalid_source_hash';
  message: string;
};

export type ReadNettingSet =
  | { ok: true; sourceHash: string; hashGrade: HashGrade }
  | { ok: false; faults: NettingSetFault[] };

/** Returns every fault of the supplied terms that can be found without reading stored records. */
export function readNettingSet(terms: NettingSetTerms, sourceHash: string): ReadNettingSet {
  const faults: NettingSetFault[] = [];
  if (!(agreementTypes as readonly string[]).includes(terms.agreement_type)) {
    const message = `must be one of ${agreementTypes.join(', ')}`;
    faults.push({ pointer: '/agreement_type', code: 'unknown_agreement_type', message });
  }
  const digits = minorDigits(terms.currency);
  if (digits === undefined) {
    faults.push({
      pointer: '/currency',
      code: 'invalid_currency',
      message: 'must be an active ISO 4217 currency',
    });
  } else if (digits !== terms.amount_scale) {
    const message = `must be ${digits}, the number of decimals of ${terms.currency}`;
    faults.push({ pointer: '/amount_scale', code: 'amount_scale_mismatch', message });
  }
  if (terms.agreement_type === 'uncollateralised') faults.push(...uncollateralisedFaults(terms));
  const graded = gradeHash(sourceHash);
  if (!graded) {
    const message = 'must be a SHA-256 hash, or 8 to 256 visible characters';
    faults.push({ pointer: '/source_hash', code: 'invalid_source_hash', message });
  }
  if (faults.length || !graded) return { ok: false, faults };
  return { ok: true, sourceHash: graded.hash, hashGrade: graded.grade };
}

function uncollateralisedFaults(terms: NettingSetTerms): NettingSetFault[] {
  const amounts = ['threshold_minor', 'minimum_transfer_minor', 'independent_amount_minor'] as const;
  return amounts
    .filter((name) => (terms[name] ?? 0) !== 0)
    .map((name) => ({
      pointer: `/${name}`,
      code: 'terms_inconsistent' as const,
      message: 'must be 0 because the agreement has no collateral',
    }));
}

/** Returns the SHA-256 of the terms as supplied. */
export function termsHash(terms: NettingSetTerms): string {
  return canonicalHash({ schema: 'netting_set/1', terms });
}
