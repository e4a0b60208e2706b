import type { Command } from 'commander';
import { systemClock } from '#lib/core/clock.ts';
import type { BatchChange, BatchChanged } from '#lib/actions/execution/batch.repository.ts';
import { changeBatch, controlsOf, lockBatch } from '#lib/actions/execution/batch.repository.ts';
import { isReleased } from '#lib/actions/execution/batch-states.ts';
import { BatchOrder, OrderBatch } from '#lib/actions/execution/order-batch.entity.ts';
import { settleBatch } from '#lib/actions/execution/settlement.repository.ts';
import { environments, type Environment } from '#lib/database/base.ts';
import { registerConfirm } from './batch-confirm.ts';
import { registerImports } from './batch-import.ts';
import { withPerson, type GovernedOptions } from './governed.ts';
import { onRecordAs } from './on-batch.ts';
import { asOperator } from './operator.ts';
import { checkText, findWorkspace, limitOption, withJson } from './options.ts';
import { print, printRows, type OutputOptions } from './output.ts';
import { ofTenant, record } from './record.ts';
import { Refusal } from '#lib/core/refusal.ts';

type Event = BatchChange['event'];
type ChangeOptions = OutputOptions & GovernedOptions & { reason?: string };

const descriptions: Record<Event, string> = {
  evaluate: 'measure a batch by the pre-trade rules in force; an approval before is void',
  approve: 'approve exactly these orders, as another person than who imported them',
  release: 'hand an approved batch on for execution, as another person than who imported it',
  cancel: 'take a batch back that is not released',
};

const ops = {
  evaluate: 'batch.evaluated',
  approve: 'batch.approved',
  release: 'batch.released',
  cancel: 'batch.cancelled',
} as const satisfies Record<Event, string>;

const refusals: Record<Exclude<Extract<BatchChanged, { ok: false }>['code'], 'policy_denied'>, string> = {
  batch_unknown: 'there is no such batch',
  transition_not_allowed: 'that cannot happen to it in its present state',
  controls_not_passed: 'its pre-trade controls have not passed for these orders, or have expired',
  second_person_required: 'who imported it neither approves nor releases it',
  control_rules_changed:
    'the rules or the calendar in force are others than those that it was measured by: evaluate it again',
  authority_missing: 'the person has no authority',
  authority_inactive: 'no authority of the person is in force',
  authority_insufficient: 'no authority of the person covers it',
  approval_void: 'what was approved are not these orders, or the approval stands no longer',
  orders_changed: 'its orders are not those that its hash was made of',
};

export function register(program: Command): void {
  const group = program.command('batch').description('order batches: from their import to their settlement');
  registerImports(group);
  for (const event of Object.keys(descriptions) as Event[]) registerEvent(group, event);
  registerConfirm(group);
  withJson(group.command('list'))
    .description('list the batches, newest first')
    .requiredOption('--workspace <uid>')
    .option('--environment <environment>', environments.join(' or '), 'sandbox')
    .option('--state <state>', 'only those in this state')
    .addOption(limitOption(50))
    .action(
      async (
        options: OutputOptions & {
          workspace: string;
          environment: Environment;
          state?: string;
          limit: number;
        },
      ) => {
        const found = await asOperator((operator) =>
          operator.inWorkspace(
            options.workspace,
            async (em) => {
              await findWorkspace(em, options.workspace);
              const state =
                options.state === undefined ? {} : { state: options.state as OrderBatch['state'] };
              return em.find(OrderBatch, state, { orderBy: { uid: 'desc' }, limit: options.limit });
            },
            options.environment,
          ),
        );
        printRows(found.map(summary), options);
      },
    );
  withJson(group.command('show <uid>'))
    .description('print a batch whole, with its orders and their hashes')
    .action(async (uid: string, options: OutputOptions) => {
      const shown = await asOperator((operator) =>
        operator.everywhere(async (em) => {
          const batch = await em.findOne(OrderBatch, { uid }, { filters: false });
          if (!batch) throw new Refusal('batch_unknown', refusals.batch_unknown);
          const orders = await em.find(
            BatchOrder,
            { batchUid: uid },
            { filters: false, orderBy: { uid: 'asc' } },
          );
          return { ...summary(batch), ...details(batch), orders: orders.map(presentOrder) };
        }),
      );
      print(shown, options);
    });
}

function registerEvent(group: Command, event: Event): void {
  const command = withPerson(withJson(group.command(`${event} <uid>`))).description(descriptions[event]);
  if (event === 'cancel') command.requiredOption('--reason <text>', 'why; it is kept');
  command.action(async (uid: string, options: ChangeOptions) => {
    const reason = options.reason === undefined ? undefined : checkText('--reason', options.reason);
    const find = { find: findBatch(uid), code: 'batch_unknown', what: 'batch' };
    const changed = await onRecordAs(find, options, async (em, person) => {
      await lockBatch(em, uid);
      const now = systemClock.now();
      const change = { event, by: person.uid, now, ...(reason === undefined ? {} : { reason }) };
      const changed = await changeBatch(em, uid, change);
      const batch = changed.ok ? changed.batch : await em.findOneOrFail(OrderBatch, { uid });
      await record(em, {
        op: ops[event],
        by: person.uid,
        ...ofTenant('order_batch', batch),
        refused: changed.ok ? undefined : changed.code,
        details: {
          material_hash_root: batch.materialHashRoot,
          ...(changed.ok ? { from: changed.from, to: batch.state } : { state: batch.state }),
          ...(reason === undefined ? {} : { reason }),
          ...(changed.ok && changed.authority ? { authority_uid: changed.authority } : {}),
          ...(changed.decision == null ? {} : { decision_uid: changed.decision }),
        },
      });
      if (changed.ok) await settleBatch(em, batch, { actor: { kind: 'person', uid: person.uid }, now });
      return changed;
    });
    if (changed.ok)
      return print({ ...summary(changed.batch), controls: controlsToShow(changed.batch) }, options);
    const { code } = changed;
    const said = code === 'policy_denied' ? 'a policy denies it' : refusals[code];
    throw new Refusal(code, changed.detail ? `${said}: ${changed.detail}` : said);
  });
}

export function findBatch(uid: string) {
  return (em: Parameters<typeof changeBatch>[0]) => em.findOne(OrderBatch, { uid }, { filters: false });
}

export function summary(batch: OrderBatch) {
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

/** Those that did not pass, in a table; a person looks for them alone. */
function controlsToShow({ controls }: OrderBatch) {
  return (controls?.controls ?? []).filter(({ status }) => status !== 'pass');
}

function details(batch: OrderBatch) {
  const { envelopeUid, envelopeHash, controls, progress } = batch;
  const now = systemClock.now();
  return {
    envelope_uid: envelopeUid,
    envelope_hash: envelopeHash,
    pre_trade: isReleased(batch.state) ? 'passed' : controlsOf(batch, now),
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

function presentOrder(order: BatchOrder) {
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
