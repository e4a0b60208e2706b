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
} from '#lib/actions/execution/reconciliation/reconcile.ts';
import { CurrencyCode, Evidence, HashWithPrefix, Side } from './evidence.schema.ts';
import { Totals } from './settlement.schema.ts';

const count = (description: string) => Type.Integer({ minimum: 0, description, examples: [1] });
export const State = Type.Enum([...batchStates], {
  description: 'Up to the release persons bring it about, after it evidence.',
});
export const Portfolio = Word('The portfolio that it is for.', 'prt_global_equity');
export const Blockers = Type.Array(Type.Enum([...closingBlockerCodes], { description: 'Stable word.' }), {
  maxItems: closingBlockerCodes.length,
  description: 'What keeps it from closing. A trade confirmation alone never closes it.',
});

const Order = Closed(
  {
    uid: Uid(prefixes.batchOrder, 'The order.'),
    order_hash: HashWithPrefix(
      'SHA-256 of the RFC 8785 form of instrument, side, quantity, order_type, limit_price, currency, account_reference, time_in_force and settlement_date.',
    ),
    instrument: InstrumentSchema,
    side: Side,
    quantity: Decimal('How many.', '1500'),
    order_type: Type.Enum([...orderTypes], { description: 'Whether it has a limit.' }),
    limit_price: Nullable(Decimal('Its limit.', '190.5'), 'Its limit; null of a market order.'),
    currency: CurrencyCode,
    account_reference: Line(64, 'The account at the custodian.', 'ACC-4821'),
    time_in_force: Type.Enum([...timesInForce], { description: 'How long it stands.' }),
    settlement_date: IsoDate,
    state: Type.Enum([...orderStates], { description: 'How far custody has seen it settle.' }),
  },
  { title: 'BatchOrder', description: 'An order; a change of any material member is another order.' },
);

const Control = Closed(
  {
    key: Type.String({ maxLength: 60, description: 'What is measured.', examples: ['gross_notional.USD'] }),
    status: Type.Enum([...controlStatuses], { description: 'What is not evaluated counts as failed.' }),
    limit: Nullable(Type.String({ maxLength: 40, examples: ['500000000'] }), 'The most that passes.'),
    observed: Nullable(Type.String({ maxLength: 40, examples: ['28575000'] }), 'What was measured.'),
    unit: Type.String({ maxLength: 40, description: 'Of limit and observed.', examples: ['minor:USD'] }),
    version: Type.String({ maxLength: 80, description: 'Of the rules.', examples: ['default@1'] }),
  },
  { description: 'A pre-trade control.' },
);

const members = {
  uid: Uid(prefixes.orderBatch, 'The batch.'),
  version: Type.Integer({ minimum: 1, description: 'Counts its changes of state.', examples: [4] }),
  batch_reference: Word('What it is called where it comes from.', 'EQ-2026-11-20-1'),
  portfolio_uid: Portfolio,
  legacy_uid: Nullable(
    Uid(prefixes.legacyBatch, 'The batch of an earlier system.'),
    'The old batch that it continues.',
  ),
  state: State,
  envelope: Closed(
    {
      uid: Uid(prefixes.actionEnvelope, 'The envelope.'),
      action: Type.Literal(ENVELOPE_ACTION, { description: 'What is to be done.' }),
      envelope_hash: HashWithPrefix('SHA-256 of the RFC 8785 form of the envelope.'),
      linked_at: Instant,
    },
    { description: 'The canonical action that the batch stands for.' },
  ),
  pre_trade: Closed(
    {
      state: Type.Enum(['passed', 'failed', 'not_evaluated', 'expired'], {
        description: 'Nothing but passed leads to a release.',
      }),
      evaluated_at: Nullable(Instant, 'When they were measured.'),
      expires_at: Nullable(Instant, 'Until when they count.'),
      controls: Type.Array(Control, { maxItems: 500, description: 'Each control.' }),
    },
    { description: 'What the batch was measured by.' },
  ),
  trade_confirmation: Closed(
    {
      state: Type.Enum([...confirmationStates], { description: 'How much of the orders is confirmed.' }),
      evidence: Type.Array(Evidence, { maxItems: 200, description: 'The confirmations, newest first.' }),
      confirmed_at: Nullable(Instant, 'The latest confirmation.'),
      closes_action: Type.Literal(false, { description: 'A confirmation closes nothing.' }),
    },
    { description: 'What the executing broker says.' },
  ),
  custody: Closed(
    {
      state: Type.Enum([...custodyStates], { description: 'How far custody has seen the orders settle.' }),
      observations: count('How many observations there are.'),
      last_observed_at: Nullable(Instant, 'The latest of them.'),
      totals: Totals,
    },
    { description: 'What custodians saw.' },
  ),
  exceptions: Closed(
    {
      open: count('How many are open.'),
      highest_severity: Nullable(
        Type.Enum([...severities], { description: 'The worst.' }),
        'The worst of them.',
      ),
    },
    { description: 'What is wrong.' },
  ),
  closed: Type.Boolean({ description: 'Whether it is closed now.' }),
  closing_blockers: Blockers,
  created_at: Instant,
};

const orders = {
  count: count('How many orders.'),
  by_state: Closed(
    {
      open: count('Nothing moved.'),
      partially_settled: count('Part of it moved.'),
      awaiting_confirmation: count('All of it moved, and not all is confirmed.'),
      settled: count('All of it moved for the confirmed amount.'),
      break: count('Custody says otherwise than order and confirmation.'),
    } satisfies Record<OrderState, unknown>,
    { description: 'How many orders are in which state.' },
  ),
  material_hash_root: HashWithPrefix(
    'Root of the RFC 6962 tree whose leaves are the 32 bytes of the order hashes, sorted.',
  ),
};

export const BatchSummary = Closed(
  { ...members, orders: Closed(orders, { description: 'Its orders, in sum.' }) },
  { title: 'OrderBatchSummary', description: 'An order batch without its single orders.' },
);

export const Batch = Closed(
  {
    ...members,
    orders: Closed(
      { ...orders, items: Type.Array(Order, { maxItems: ORDERS_MAX, description: 'Each order.' }) },
      { description: 'Its orders.' },
    ),
  },
  { title: 'OrderBatch', description: 'An order batch. No credential of a broker is ever part of it.' },
);

const LegacyCandidate = Closed(
  {
    legacy_uid: Uid(prefixes.legacyBatch, 'The old batch.'),
    source_system: Word('The system that it comes from.', 'oms_v1'),
    legacy_reference: Word('What it is called there.', 'L-100'),
    portfolio_uid: Portfolio,
    created_at: Instant,
    order_count: count('How many orders it has.'),
    eligible: Type.Literal(true, { description: 'Others are not listed.' }),
    eligibility: Type.Array(
      Closed(
        {
          rule: Type.Enum([...eligibilityRules], { description: 'The rule.' }),
          ok: Type.Boolean({ description: 'Whether it is kept.' }),
        },
        { description: 'A rule.' },
      ),
      { maxItems: 10, description: 'Why it is a candidate.' },
    ),
    reason_not_linked: Type.Literal('import_required', {
      description: 'Listing never links; an import does.',
    }),
  },
  { title: 'LegacyCandidate', description: 'A batch of an earlier system that an import may link.' },
);

export const BatchList = Closed(
  {
    ...ListOf(BatchSummary).properties,
    legacy_candidates: Type.Array(LegacyCandidate, {
      maxItems: 200,
      description: 'On the first page, the newest old batches that could be linked.',
    }),
  },
  { title: 'OrderBatchList', description: 'Linked batches, and candidates of an earlier system.' },
);
