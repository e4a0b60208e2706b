import { canonicalHash } from '#lib/core/seal.ts';
import { daysBetween } from '#lib/core/date.ts';
import { formatMajor, minorDigits, parseMajor, wireMinor, type AmountFault } from '#lib/core/money.ts';
import { gradeHash, type HashGrade } from '#lib/governance/evidence.ts';

/** The recognised types. Any other type is accepted too, and marked as not recognised. */
export const obligationTypes = [
  'term_loan',
  'revolving_credit',
  'bond',
  'commercial_paper',
  'lease',
  'trade_payable',
  'intercompany_loan',
  'guarantee',
  'letter_of_credit',
  'overdraft',
  'other',
] as const;

export const obligationStates = ['registered', 'disputed', 'superseded', 'withdrawn'] as const;
export type ObligationState = (typeof obligationStates)[number];

export type WithdrawalVerdict =
  | { ok: true; next: 'withdrawn' }
  | { ok: false; code: 'transition_not_allowed' };

/** Decides whether a person may withdraw an obligation. The obligation must be registered or disputed. */
export function decideWithdrawal(state: ObligationState): WithdrawalVerdict {
  const isOpen = state === 'registered' || state === 'disputed';
  return isOpen ? { ok: true, next: 'withdrawn' } : { ok: false, code: 'transition_not_allowed' };
}

/** The obligation as the caller sent it. Amounts are the digits that were sent, in major units. */
export type OfferedObligation = {
  counterparty_id: number;
  obligation_type: string;
  source_system: string;
  source_reference: string;
  source_hash: string;
  facility_reference: string | null;
  currency: string;
  original_amount: string;
  outstanding_amount: string;
  available_amount: string | null;
  status: string | null;
  due_date: string | null;
};

/** The stored content: amounts in minor units, and the hash in its normal form. */
export type ObligationContent = {
  counterparty_id: number;
  obligation_type: string;
  facility_reference: string | null;
  currency: string;
  amount_scale: number;
  original_amount_minor: number;
  outstanding_amount_minor: number;
  available_amount_minor: number | null;
  status: string | null;
  due_date: string | null;
};

export type ObligationFault = {
  pointer: string;
  code: 'invalid_currency' | 'invalid_source_hash' | AmountFault;
  message: string;
};

export type ReadObligation =
  | { ok: true; content: ObligationContent; sourceHash: string; hashGrade: HashGrade }
  | { ok: false; faults: ObligationFault[] };

const AMOUNTS = ['original_amount', 'outstanding_amount', 'available_amount'] as const;

/**
 * Reads a submitted obligation. Returns the content to store, or every fault. The original amount must be
 * above 0, the other amounts at least 0.
 */
export function readObligation(offered: OfferedObligation): ReadObligation {
  const faults: ObligationFault[] = [];
  const digits = minorDigits(offered.currency);
  if (digits === undefined) {
    faults.push({
      pointer: '/currency',
      code: 'invalid_currency',
      message: 'must be an active ISO 4217 currency',
    });
  }
  const graded = gradeHash(offered.source_hash);
  if (!graded) {
    const message = 'must be a SHA-256 hash, or 8 to 256 visible characters';
    faults.push({ pointer: '/source_hash', code: 'invalid_source_hash', message });
  }
  const amounts = AMOUNTS.map((name) => {
    const text = offered[name];
    if (text === null || digits === undefined) return null;
    const amount = parseMajor(text, digits);
    const code = amount.ok ? (isBelow(name, amount.minor) ? 'amount_range' : undefined) : amount.code;
    if (code) faults.push({ pointer: `/${name}`, code, message: messages[code](offered.currency, digits) });
    return amount.ok ? wireMinor(amount.minor) : null;
  });
  if (faults.length || digits === undefined || !graded) return { ok: false, faults };
  const { counterparty_id, obligation_type, facility_reference, currency, status, due_date } = offered;
  return {
    ok: true,
    sourceHash: graded.hash,
    hashGrade: graded.grade,
    content: {
      counterparty_id,
      obligation_type,
      facility_reference,
      currency,
      amount_scale: digits,
      original_amount_minor: amounts[0]!,
      outstanding_amount_minor: amounts[1]!,
      available_amount_minor: amounts[2] ?? null,
      status,
      due_date,
    },
  };
}

function isBelow(name: (typeof AMOUNTS)[number], minor: bigint): boolean {
  return name === 'original_amount' ? minor <= 0n : minor < 0n;
}

const messages: Record<AmountFault, (currency: string, digits: number) => string> = {
  invalid_amount: () => 'must be a number',
  amount_precision: (currency, digits) =>
    `must have at most ${digits} decimals, the number of decimals of ${currency}`,
  amount_range: () => 'must not be below its minimum, and must have at most 15 significant digits',
};

/** Returns the SHA-256 hash of the stored content, so that anyone can check a record against its hash. */
export function obligationHash(
  source: { system: string; reference: string; hash: string },
  content: ObligationContent,
) {
  return canonicalHash({ schema: 'obligation/1', source, content });
}

/**
 * Returns an amount in major units as a JSON number. The number has at most 15 digits, so its shortest decimal form is
 * exact.
 */
export function majorNumber(minor: number, digits: number): number {
  return Number(formatMajor(BigInt(minor), digits));
}

export const obligationWarnings = [
  'opaque_hash',
  'outstanding_exceeds_original',
  'available_exceeds_headroom',
  'due_in_past',
  'hash_reused_by_other_reference',
] as const;
export type ObligationWarning = (typeof obligationWarnings)[number];

/** Returns the warnings for a reader of the record. A warning never causes a refusal. */
export function warningsOf(
  content: ObligationContent,
  facts: { hashGrade: HashGrade; hashIsReused: boolean; today: string },
): ObligationWarning[] {
  const { original_amount_minor: original, outstanding_amount_minor: outstanding } = content;
  const { available_amount_minor: available, due_date } = content;
  const isRevolving = ['revolving_credit', 'overdraft'].includes(content.obligation_type);
  return [
    ...(facts.hashGrade === 'opaque' ? (['opaque_hash'] as const) : []),
    ...(outstanding > original ? (['outstanding_exceeds_original'] as const) : []),
    ...(isRevolving && available !== null && available > original - outstanding
      ? (['available_exceeds_headroom'] as const)
      : []),
    ...(due_date !== null && due_date < facts.today ? (['due_in_past'] as const) : []),
    ...(facts.hashIsReused ? (['hash_reused_by_other_reference'] as const) : []),
  ];
}

/**
 * Returns the values derived from the record on a day. Null means that the record does not state the value, and never
 * means 0.
 */
export function derivedOf(
  { due_date, original_amount_minor, outstanding_amount_minor }: ObligationContent,
  today: string,
) {
  return {
    days_to_due: due_date === null ? null : daysBetween(today, due_date),
    overdue: due_date === null ? null : due_date < today && outstanding_amount_minor > 0,
    utilisation_bps: Number((BigInt(outstanding_amount_minor) * 10_000n) / BigInt(original_amount_minor)),
  };
}
