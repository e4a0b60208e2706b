import { minorDigits } from '#lib/core/money.ts';
import { isBusinessDay, isCovered, type SettlementCalendar } from './calendar.ts';
import type { ControlsState } from './batch-decision.ts';
import { notionalMinor, parseDecimal } from '#lib/core/decimal.ts';
import { isSameInstrument, type Instrument } from './instrument.ts';
import type { MaterialOrder } from './order.ts';
import { restrictionBy } from './restricted.ts';

export const controlStatuses = ['pass', 'fail', 'not_evaluated'] as const;
export type ControlStatus = (typeof controlStatuses)[number];

export type Control = {
  key: string;
  status: ControlStatus;
  limit: string | null;
  observed: string | null;
  unit: string;
  /** The version of the rules that the control was evaluated with. */
  version: string;
};

/**
 * The pre-trade rules of a workspace. A control without a rule is not evaluated, and a control that is not
 * evaluated fails.
 */
export type ControlRules = {
  version: string;
  maxOrders: number | null;
  gross: readonly CurrencyLimit[];
  perOrder: readonly CurrencyLimit[];
  known: readonly Instrument[] | null;
  restricted: readonly Instrument[] | null;
  calendar: SettlementCalendar | null;
};
export type CurrencyLimit = { currency: string; limit_minor: number };

/** An order with a reference price. The reference price is used to value a market order. */
export type PricedOrder = MaterialOrder & { reference_price: string | null };

export const NO_RULES: ControlRules = {
  version: 'none',
  maxOrders: null,
  gross: [],
  perOrder: [],
  known: null,
  restricted: null,
  calendar: null,
};

/** Evaluates the controls of a batch. */
export function evaluateControls(orders: readonly PricedOrder[], rules: ControlRules): Control[] {
  const currencies = [...new Set(orders.map(({ currency }) => currency))].toSorted((a, b) =>
    a < b ? -1 : 1,
  );
  const measure = (key: string, unit: string, limit: bigint | null, observed: bigint | null): Control => ({
    key,
    status: limit === null || observed === null ? 'not_evaluated' : observed <= limit ? 'pass' : 'fail',
    limit: limit === null ? null : String(limit),
    observed: observed === null ? null : String(observed),
    unit,
    version: rules.version,
  });
  const max = rules.maxOrders === null ? null : BigInt(rules.maxOrders);
  return [
    measure('order_count', 'orders', max, BigInt(orders.length)),
    ...currencies.flatMap((currency) => {
      const amounts = orders.filter((order) => order.currency === currency).map(notionalOf);
      const known = amounts.filter((amount) => amount !== null);
      const isWhole = known.length === amounts.length;
      const gross = known.reduce((sum, amount) => sum + amount, 0n);
      const largest = known.reduce((top, amount) => (amount > top ? amount : top), 0n);
      const unit = `minor:${currency}`;
      return [
        measure(`gross_notional.${currency}`, unit, limitOf(rules.gross, currency), isWhole ? gross : null),
        measure(
          `order_notional.${currency}`,
          unit,
          limitOf(rules.perOrder, currency),
          isWhole ? largest : null,
        ),
      ];
    }),
    measure('settlement_date_not_business', 'orders', ...offDays(orders, rules.calendar)),
    measure('instrument_unknown', 'orders', ...unknownOrders(orders, rules.known)),
    measure('instrument_restricted', 'orders', ...restrictedOrders(orders, rules)),
  ];
}

/** Returns `passed` if there is at least one control and every control passed. */
export function verdictOf(controls: readonly Control[]): 'passed' | 'failed' {
  return controls.length > 0 && controls.every(({ status }) => status === 'pass') ? 'passed' : 'failed';
}

export type Evaluation = { verdict: 'passed' | 'failed'; root: string; expiresAt: Date };

/** Returns the state of an evaluation now, for orders with this root. */
export function controlsNow(evaluation: Evaluation | null, root: string, now: Date): ControlsState {
  if (!evaluation || evaluation.root !== root) return 'not_evaluated';
  if (evaluation.verdict === 'failed') return 'failed';
  return evaluation.expiresAt <= now ? 'expired' : 'passed';
}

/**
 * Returns the value of an order in minor units, rounded up, at the limit price or otherwise the reference price; null
 * if both prices are unknown.
 */
function notionalOf(order: PricedOrder): bigint | null {
  const price = order.limit_price ?? order.reference_price;
  const digits = minorDigits(order.currency);
  const [quantity, scaled] = [parseDecimal(order.quantity), price === null ? undefined : parseDecimal(price)];
  if (digits === undefined || quantity === undefined || scaled === undefined) return null;
  return notionalMinor(quantity, scaled, digits);
}

function limitOf(limits: readonly CurrencyLimit[], currency: string): bigint | null {
  const found = limits.find((limit) => limit.currency === currency);
  return found ? BigInt(found.limit_minor) : null;
}

/**
 * Returns the limit, which is 0, and the number of orders that settle on a day that is not a business day. Both are
 * null without a calendar. The number is null if the calendar does not cover one of the days.
 */
function offDays(
  orders: readonly PricedOrder[],
  calendar: SettlementCalendar | null,
): [bigint | null, bigint | null] {
  if (!calendar) return [null, null];
  if (!orders.every(({ settlement_date }) => isCovered(calendar, settlement_date))) return [0n, null];
  return [
    0n,
    BigInt(orders.filter(({ settlement_date }) => !isBusinessDay(calendar, settlement_date)).length),
  ];
}

/**
 * Returns the limit, which is 0, and the number of orders whose instrument is not in the list of known instruments.
 * Both are null if there is no list.
 */
function unknownOrders(
  orders: readonly PricedOrder[],
  known: readonly Instrument[] | null,
): [bigint | null, bigint | null] {
  if (!known) return [null, null];
  const counted = orders.filter(
    ({ instrument }) => !known.some((each) => isSameInstrument(each, instrument)),
  );
  return [0n, BigInt(counted.length)];
}

/**
 * Returns the limit, which is 0, and the number of orders in a restricted instrument. Both are null if there is no
 * list. The number is null if no order is known to be restricted but at least one order cannot be checked.
 */
function restrictedOrders(
  orders: readonly PricedOrder[],
  { restricted, known }: ControlRules,
): [bigint | null, bigint | null] {
  if (!restricted) return [null, null];
  const restrictionOf = restrictionBy(restricted, known ?? []);
  const found = orders.map(({ instrument }) => restrictionOf(instrument));
  const count = found.filter((each) => each === 'restricted').length;
  return [0n, count === 0 && found.includes('unknown') ? null : BigInt(count)];
}

/** An evaluation, as it is stored with its batch. */
export type KeptControls = {
  verdict: 'passed' | 'failed';
  /** The root of the evaluated orders. */
  root: string;
  /** The versions of the rules and the calendar of the evaluation. */
  measured_by: string;
  evaluated_at: string;
  expires_at: string;
  controls: Control[];
};

/** Returns the notional by currency, in minor units, from the stored controls of a batch. */
export function measuredOf(
  kept: KeptControls | null | undefined,
  what: 'gross_notional' | 'order_notional',
): { currency: string; amountMinor: bigint }[] {
  return (kept?.controls ?? [])
    .filter(({ key, observed }) => key.startsWith(`${what}.`) && observed !== null)
    .map(({ key, observed }) => ({ currency: key.slice(-3), amountMinor: BigInt(observed!) }));
}
