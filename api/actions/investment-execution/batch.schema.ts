import Type from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, Instant, IsoDate, Line, ListOf, Nullable, Uid } from '#lib/core/schema.ts';
import { batchStates } from '#lib/actions/execution/batch/batch-states.ts';
import { Decimal, InstrumentSchema, ORDERS_MAX, Word } from '#lib/actions/execution/batch/batch-file.ts';
import { closingBlockerCodes } from '#lib/actions/execution/batch/closing.ts';
import { controlStatuses } from '#lib/actions/execution/batch/controls.ts';
import { severities } from '#lib/actions/execution/exceptions/exception-kinds.ts';
import { eligibilityRules } from '#lib/actions/execution/batch/legacy.ts';
import { ENVELOPE_ACTION, orderTypes, timesInForce } from '#lib/actions/execution/batch/order.ts';
import {
  confirmationStates,
  custodyStates,
  orderStates,
  type OrderState,
} from '#lib/actions/execution/reconciliation/order-states.ts';
import { CurrencyCode, Evidence, HashWithPrefix, Side } from './evidence.schema.ts';
import { Totals } from './settlement.schema.ts';

const count = (description: string) => Type.Integer({ minimum: 0, description, examples: [1] });
export const State = Type.Enum([...batchStates], {
  description:
    'The state of the batch. Persons change the state up to `released`; evidence changes it afterwards.',
});
export const Portfolio = Word('The portfolio of the batch.', 'prt_global_equity');
export const Blockers = Type.Array(Type.Enum([...closingBlockerCodes], { description: 'A stable code.' }), {
  maxItems: closingBlockerCodes.length,
  description: 'The reasons why the batch cannot be closed. A trade confirmation alone never closes it.',
});

const Order = Closed(
  {
    uid: Uid(prefixes.batchOrder, 'The uid of the order.'),
    order_hash: HashWithPrefix(
      'SHA-256 of the RFC 8785 form of the material fields: instrument, side, quantity, order_type, limit_price, currency, account_reference, time_in_force and settlement_date.',
    ),
    instrument: InstrumentSchema,
    side: Side,
    quantity: Decimal('The ordered quantity.', '1500'),
    order_type: Type.Enum([...orderTypes], {
      description: 'Whether the order is a market order or a limit order.',
    }),
    limit_price: Nullable(Decimal('The limit price.', '190.5'), 'The limit price; null for a market order.'),
    currency: CurrencyCode,
    account_reference: Line(64, 'The account at the custodian.', 'ACC-4821'),
    time_in_force: Type.Enum([...timesInForce], { description: 'The time in force of the order.' }),
    settlement_date: IsoDate,
    state: Type.Enum([...orderStates], { description: 'The settlement state, as observed by custody.' }),
  },
  { title: 'BatchOrder', description: 'An order. Changing a material field creates a different order.' },
);

const Control = Closed(
  {
    key: Type.String({
      maxLength: 60,
      description: 'The key of the control.',
      examples: ['gross_notional.USD'],
    }),
    status: Type.Enum([...controlStatuses], {
      description: 'The status of the control. A control that is not evaluated counts as failed.',
    }),
    limit: Nullable(
      Type.String({ maxLength: 40, examples: ['500000000'] }),
      'The limit; null if the control was not evaluated.',
    ),
    observed: Nullable(
      Type.String({ maxLength: 40, examples: ['28575000'] }),
      'The measured value; null if it cannot be measured.',
    ),
    unit: Type.String({
      maxLength: 40,
      description: 'The unit of `limit` and `observed`.',
      examples: ['minor:USD'],
    }),
    version: Type.String({
      maxLength: 80,
      description: 'The version of the rules.',
      examples: ['default@1'],
    }),
  },
  { description: 'A pre-trade control.' },
);

const members = {
  uid: Uid(prefixes.orderBatch, 'The uid of the batch.'),
  version: Type.Integer({
    minimum: 1,
    description: 'The number of state changes, starting at 1.',
    examples: [4],
  }),
  batch_reference: Word('The reference of the batch in its source system.', 'EQ-2026-11-20-1'),
  portfolio_uid: Portfolio,
  legacy_uid: Nullable(
    Uid(prefixes.legacyBatch, 'The batch of an earlier system.'),
    'The batch of an earlier system that this batch continues; null if there is none.',
  ),
  state: State,
  envelope: Closed(
    {
      uid: Uid(prefixes.actionEnvelope, 'The uid of the envelope.'),
      action: Type.Literal(ENVELOPE_ACTION, { description: 'The action of the batch.' }),
      envelope_hash: HashWithPrefix('SHA-256 of the RFC 8785 form of the envelope.'),
      linked_at: Instant,
    },
    { description: 'The canonical action that the batch represents.' },
  ),
  pre_trade: Closed(
    {
      state: Type.Enum(['passed', 'failed', 'not_evaluated', 'expired'], {
        description: 'The state of the controls. Only `passed` allows a release.',
      }),
      evaluated_at: Nullable(Instant, 'The time of the evaluation; null if the controls were not evaluated.'),
      expires_at: Nullable(
        Instant,
        'The time at which the evaluation expires; null if the controls were not evaluated.',
      ),
      controls: Type.Array(Control, {
        maxItems: 500,
        description: 'The pre-trade controls of the batch, with their results.',
      }),
    },
    { description: 'The pre-trade controls of the batch.' },
  ),
  trade_confirmation: Closed(
    {
      state: Type.Enum([...confirmationStates], {
        description: 'The extent to which the orders are confirmed.',
      }),
      evidence: Type.Array(Evidence, { maxItems: 200, description: 'The confirmations, newest first.' }),
      confirmed_at: Nullable(Instant, 'The time of the latest confirmation; null if there is none.'),
      closes_action: Type.Literal(false, {
        description: 'Always false: a confirmation never closes a batch.',
      }),
    },
    { description: 'The trade confirmations of the executing broker.' },
  ),
  custody: Closed(
    {
      state: Type.Enum([...custodyStates], {
        description: 'The extent to which the orders have settled, as observed by custody.',
      }),
      observations: count('The number of observations.'),
      last_observed_at: Nullable(Instant, 'The time of the latest observation; null if there is none.'),
      totals: Totals,
    },
    { description: 'The state of settlement, as observed by custody.' },
  ),
  exceptions: Closed(
    {
      open: count('The number of open exceptions.'),
      highest_severity: Nullable(
        Type.Enum([...severities], { description: 'The highest severity.' }),
        'The highest severity of an open exception; null if there is none.',
      ),
    },
    { description: 'A summary of the open exceptions of the batch.' },
  ),
  closed: Type.Boolean({ description: 'Whether the batch is closed now.' }),
  closing_blockers: Blockers,
  created_at: Instant,
};

const orders = {
  count: count('The number of orders.'),
  by_state: Closed(
    {
      open: count('Orders without a movement.'),
      partially_settled: count('Orders that have settled partly.'),
      awaiting_confirmation: count('Orders that have settled fully, but are not fully confirmed.'),
      settled: count('Orders that have settled fully for the confirmed amount.'),
      break: count('Orders for which custody contradicts the order or the confirmation.'),
    } satisfies Record<OrderState, unknown>,
    { description: 'The number of orders in each state.' },
  ),
  material_hash_root: HashWithPrefix(
    'The root of the RFC 6962 Merkle tree whose leaves are the 32 bytes of the sorted order hashes.',
  ),
};

export const BatchSummary = Closed(
  { ...members, orders: Closed(orders, { description: 'A summary of the orders.' }) },
  { title: 'OrderBatchSummary', description: 'An order batch without its individual orders.' },
);

export const Batch = Closed(
  {
    ...members,
    orders: Closed(
      {
        ...orders,
        items: Type.Array(Order, { maxItems: ORDERS_MAX, description: 'The individual orders.' }),
      },
      { description: 'The orders of the batch.' },
    ),
  },
  { title: 'OrderBatch', description: 'An order batch. It never contains a credential of a broker.' },
);

const LegacyCandidate = Closed(
  {
    legacy_uid: Uid(prefixes.legacyBatch, 'The uid of the batch of the earlier system.'),
    source_system: Word('The source system.', 'oms_v1'),
    legacy_reference: Word('The reference in the source system.', 'L-100'),
    portfolio_uid: Portfolio,
    created_at: Instant,
    order_count: count('The number of orders in the batch.'),
    eligible: Type.Literal(true, { description: 'Always true: other batches are not listed.' }),
    eligibility: Type.Array(
      Closed(
        {
          rule: Type.Enum([...eligibilityRules], { description: 'The eligibility rule.' }),
          ok: Type.Boolean({ description: 'Whether the batch meets the rule.' }),
        },
        { description: 'The result of an eligibility rule.' },
      ),
      { maxItems: 10, description: 'The eligibility rules that make the batch a candidate.' },
    ),
    reason_not_linked: Type.Literal('import_required', {
      description:
        'The reason why the batch is not linked to an order batch. `import_required`: only an import of the order batch can link it.',
    }),
  },
  {
    title: 'LegacyCandidate',
    description: 'An order batch of an earlier system. An imported order batch can be linked to this batch.',
  },
);

export const BatchList = Closed(
  {
    ...ListOf(BatchSummary).properties,
    legacy_candidates: Type.Array(LegacyCandidate, {
      maxItems: 200,
      description: 'The newest batches of earlier systems that can be linked. Only on the first page.',
    }),
  },
  { title: 'OrderBatchList', description: 'Order batches, and candidates from earlier systems.' },
);
