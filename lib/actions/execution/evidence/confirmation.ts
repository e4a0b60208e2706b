import Type, { type Static } from 'typebox';
import { fitsTheWire, minorDigits, MINOR_MAX } from '#lib/core/money.ts';
import { canonicalHash } from '#lib/core/seal.ts';
import { Closed, InstantOf, Line, Minor } from '#lib/core/schema.ts';
import { gradeHash, type HashGrade } from '#lib/governance/evidence.ts';
import { Decimal, isUsualDate, ORDERS_MAX, USUAL_DATE, Word } from '../batch/batch-file.ts';
import { formatDecimal, parseDecimal } from '#lib/core/decimal.ts';
import { normalHash } from './observation.ts';
import type { EvidenceFault } from './evidence-fault.ts';
import type { ConfirmedLine, OrderFacts } from '../reconciliation/settlement-facts.ts';

const ConfirmationLine = Closed({
  order_hash: Type.String({ pattern: '^(sha256:)?[0-9a-f]{64}$', description: 'The hash of the order.' }),
  quantity: Decimal('The executed quantity, above 0.', '1500'),
  currency: Type.String({ pattern: '^[A-Z]{3}$' }),
  settlement_amount_minor: Minor('The amount to pay or receive, in minor units.'),
  amount_scale: Type.Integer({ minimum: 0, maximum: 9 }),
});

/** A trade confirmation, in the import format of the operator. A confirmation alone never closes a batch. */
export const ConfirmationFile = Closed({
  source_system: Word('The source system.', 'broker_fix'),
  source_reference: Line(200, 'The reference in the source system.', 'CONF-1'),
  source_hash: Type.String({ minLength: 8, maxLength: 256 }),
  executing_broker: Word('The broker that executed the orders.', 'broker_one'),
  confirmed_at: InstantOf('The time of the confirmation.'),
  lines: Type.Array(ConfirmationLine, { minItems: 1, maxItems: ORDERS_MAX }),
});
export type ConfirmationFile = Static<typeof ConfirmationFile>;

export type ConfirmationContent = Pick<ConfirmationFile, 'executing_broker' | 'confirmed_at' | 'lines'>;

export type ReadConfirmation =
  | { ok: true; content: ConfirmationContent; contentHash: string; sourceHash: string; hashGrade: HashGrade }
  | { ok: false; faults: EvidenceFault[] };

/**
 * Reads a confirmation that matches the schema, against the orders and their earlier confirmations. The confirmation is
 * refused, for example, if a quantity exceeds the order, if a currency differs, or if the sum of the amounts is above
 * the largest safe JSON integer.
 */
export function readConfirmation(
  offered: ConfirmationFile,
  orders: readonly OrderFacts[],
  confirmed: readonly ConfirmedLine[],
): ReadConfirmation {
  const faults: EvidenceFault[] = [];
  const graded = gradeHash(offered.source_hash);
  if (!graded) {
    const message = 'must be a SHA-256 hash, or 8 to 256 visible characters';
    faults.push({ pointer: '/source_hash', code: 'invalid_source_hash', message });
  }
  if (!isUsualDate(offered.confirmed_at.slice(0, 10))) {
    faults.push({ pointer: '/confirmed_at', code: 'invalid_date', message: USUAL_DATE });
  }
  const lines = offered.lines.map((line) => ({ ...line, order_hash: normalHash(line.order_hash) }));
  const soFar = new Map<string, bigint>();
  const amounts = new Map<string, bigint>();
  const count = (sums: Map<string, bigint>, key: string, value: bigint) => {
    const sum = (sums.get(key) ?? 0n) + value;
    sums.set(key, sum);
    return sum;
  };
  for (const { orderHash, quantity, currency, amountMinor } of confirmed) {
    count(soFar, orderHash, quantity);
    count(amounts, currency, amountMinor);
  }
  lines.forEach((line, at) => {
    const order = orders.find(({ hash }) => hash === line.order_hash);
    const add = (name: string, code: string, message: string) =>
      faults.push({ pointer: `/lines/${at}/${name}`, code, message });
    if (!order) return add('order_hash', 'unknown_order', 'must be the hash of an order of the batch');
    if (line.currency !== order.currency)
      return add('currency', 'currency_mismatch', `must be ${order.currency}, the currency of the order`);
    const digits = minorDigits(order.currency);
    if (line.amount_scale !== digits)
      add(
        'amount_scale',
        'amount_scale_mismatch',
        `must be ${digits}, the number of decimals of the currency`,
      );
    const quantity = parseDecimal(line.quantity)!;
    if (quantity === 0n) add('quantity', 'invalid_quantity', 'must be above 0');
    if (!fitsTheWire(count(amounts, line.currency, BigInt(line.settlement_amount_minor)))) {
      const message = `must not raise the confirmed amount in ${line.currency} above ${MINOR_MAX} minor units`;
      add('settlement_amount_minor', 'amount_range', message);
    }
    if (count(soFar, line.order_hash, quantity) > order.quantity) {
      add(
        'quantity',
        'confirmation_exceeds_order',
        `must not exceed the ordered quantity of ${formatDecimal(order.quantity)}`,
      );
    }
  });
  if (faults.length || !graded) return { ok: false, faults };
  const content = {
    executing_broker: offered.executing_broker,
    confirmed_at: offered.confirmed_at,
    lines: lines.map((line) => ({ ...line, quantity: formatDecimal(parseDecimal(line.quantity)!) })),
  };
  return {
    ok: true,
    content,
    contentHash: canonicalHash(content),
    sourceHash: graded.hash,
    hashGrade: graded.grade,
  };
}

export type ConfirmationFacts = {
  isReleased: boolean;
  /** The faults of the confirmation itself. */
  faults: readonly EvidenceFault[];
  /** Whether the confirmation is equal to the confirmation stored under the same reference. */
  isSame: boolean;
  /** Whether custody evidence of the batch comes from the source or the broker of the confirmation. */
  isDependent: boolean;
  /**
   * Whether a different confirmation is stored under the same reference, or whether another confirmation of the same
   * document already contains one of the lines.
   */
  isContradicted: boolean;
};

export type ConfirmationRefusal =
  | 'batch_not_released'
  | 'confirmation_source_not_independent'
  | 'source_evidence_conflict';

export type ConfirmationVerdict =
  | { ok: true; isNew: boolean }
  | { ok: false; code: ConfirmationRefusal }
  | { ok: false; code: 'invalid_confirmation'; faults: readonly EvidenceFault[] };

/**
 * Decides whether a confirmation of a batch is recorded, is a repetition that only increases a count, or is refused.
 */
export function decideConfirmation(facts: ConfirmationFacts): ConfirmationVerdict {
  const { isReleased, faults, isSame, isDependent, isContradicted } = facts;
  if (!isReleased) return { ok: false, code: 'batch_not_released' };
  if (faults.length) return { ok: false, code: 'invalid_confirmation', faults };
  if (isSame) return { ok: true, isNew: false };
  if (isDependent) return { ok: false, code: 'confirmation_source_not_independent' };
  if (isContradicted) return { ok: false, code: 'source_evidence_conflict' };
  return { ok: true, isNew: true };
}

/** Returns the lines of a stored confirmation, as reconciliation needs them. */
export function confirmedLines({ lines }: ConfirmationContent): ConfirmedLine[] {
  return lines.map((line) => ({
    orderHash: line.order_hash,
    quantity: parseDecimal(line.quantity)!,
    currency: line.currency,
    amountMinor: BigInt(line.settlement_amount_minor),
  }));
}
