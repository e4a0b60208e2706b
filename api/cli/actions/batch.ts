import type { Command } from 'commander';
import { Refusal } from '#lib/core/refusal.ts';
import { systemClock } from '#lib/core/clock.ts';
import type { BatchChange } from '#lib/actions/execution/batch/batch-decision.ts';
import { isReleased, type BatchState } from '#lib/actions/execution/batch/batch-states.ts';
import {
  batchUnknown,
  listBatches,
  placeOfBatch,
  readBatch,
  type WholeBatch,
} from '#lib/actions/execution/batch/batch.query.ts';
import { controlsOf } from '#lib/actions/execution/batch/batch-lock.query.ts';
import { changeBatch } from '#lib/actions/execution/batch/change-batch.command.ts';
import type { OrderBatch } from '#lib/actions/execution/batch/order-batch.entity.ts';
import { registerConfirm } from './batch-confirm.ts';
import { registerImports } from './batch-import.ts';
import { limitOption, withJson } from '../shell/options.ts';
import { print, type OutputOptions } from '../shell/output.ts';
import { registerEvents } from '../shell/events.ts';
import { askAbout } from '../shell/ask.ts';
import { registerList } from '../shell/list.ts';

const descriptions: Record<BatchChange, string> = {
  evaluate: 'check a batch against the pre-trade rules in force; an earlier approval becomes void',
  approve:
    'approve the orders of a batch as they are now; the person who imported the batch cannot approve it',
  release: 'release an approved batch for execution; the person who imported the batch cannot release it',
  cancel: 'cancel a batch that is not released',
};

export function register(program: Command): void {
  const group = program.command('batch');
  registerImports(group);
  registerEvents(group, 'uid', {
    descriptions,
    reasons: { cancel: 'the reason, stored with the batch' },
    command: changeBatch,
    inputOf: (uid, event, reason) => ({ uid, event, reason }),
    present: ({ result: { batch } }) => ({ ...summary(batch), controls: controlsToShow(batch) }),
  });
  registerConfirm(group);
  registerList(
    group
      .command('list')
      .description('list the batches, newest first')
      .option('--state <state>', 'only batches in this state')
      .addOption(limitOption(50)),
    {
      query: listBatches,
      ask: ({ state, limit }: { state?: BatchState; limit: number }) => ({ state, limit }),
      present: summary,
    },
  );
  const unknown = new Refusal('batch_unknown', batchUnknown);
  withJson(group.command('show <uid>'))
    .description('print a batch in full, with its orders and their hashes')
    .action(async (uid: string, options: OutputOptions) => {
      const { batch, orders } = (await askAbout(uid, { placeOf: placeOfBatch, unknown }, readBatch))!;
      print({ ...summary(batch), ...details(batch), orders: orders.map(presentOrder) }, options);
    });
}

function summary(batch: OrderBatch) {
  const { uid, batchReference, portfolioUid, state, orderCount, materialHashRoot, progress } = batch;
  return {
    uid,
    batch_reference: batchReference,
    portfolio_uid: portfolioUid,
    state,
    orders: orderCount,
    material_hash_root: materialHashRoot,
    closing_blockers: state === 'cancelled' ? ['batch_cancelled'] : progress.closing_blockers,
  };
}

/** Returns only the controls that did not pass, for a table that a person reads. */
function controlsToShow({ controls }: OrderBatch) {
  return (controls?.controls ?? []).filter(({ status }) => status !== 'pass');
}

function details(batch: OrderBatch) {
  const { envelopeUid, envelopeHash, controls, progress } = batch;
  return {
    envelope_uid: envelopeUid,
    envelope_hash: envelopeHash,
    pre_trade: isReleased(batch.state) ? 'passed' : controlsOf(batch, systemClock.now()),
    controls: controls?.controls ?? [],
    imported_by: batch.importedByUid,
    approved_by: batch.approvedByUid ?? null,
    released_by: batch.releasedByUid ?? null,
    trade_confirmation: progress.confirmation,
    custody: progress.custody,
    totals: progress.totals,
    exceptions: progress.exceptions,
  };
}

function presentOrder(order: WholeBatch['orders'][number]) {
  const { uid, orderHash, instrument, side, quantity, currency, settlementDate, state } = order;
  return {
    uid,
    order_hash: orderHash,
    instrument,
    side,
    quantity,
    currency,
    settlement_date: settlementDate,
    state,
  };
}
