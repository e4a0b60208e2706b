import type { Command } from 'commander';
import { systemClock } from '#lib/core/clock.ts';
import { ConfirmationFile } from '#lib/actions/execution/confirmation.ts';
import { recordConfirmation, type Confirmed } from '#lib/actions/execution/confirmation.repository.ts';
import { OrderBatch } from '#lib/actions/execution/order-batch.entity.ts';
import { withPerson, type GovernedOptions } from './governed.ts';
import { readBody } from './governed-kind.ts';
import { invalidBody } from './shell/govern.ts';
import { checked, onRecordAs } from './on-batch.ts';
import { withJson } from './options.ts';
import { print, type OutputOptions } from './output.ts';
import { ofTenant, record } from './record.ts';
import { Refusal } from '#lib/core/refusal.ts';

const refusals: Record<Exclude<Extract<Confirmed, { ok: false }>['code'], 'invalid_confirmation'>, string> = {
  batch_unknown: 'there is no such batch',
  batch_not_released: 'nothing of it was handed on for execution',
  confirmation_source_not_independent:
    'source or broker is one that custody evidence of the batch comes from',
  source_evidence_conflict:
    'another confirmation is kept under this reference, or holds a line of the same document; this one was kept, refused',
};

export function registerConfirm(group: Command): void {
  withPerson(withJson(group.command('confirm <file>')))
    .description('record a trade confirmation from a JSON file; it closes nothing')
    .requiredOption('--batch <uid>', 'the batch that it is about')
    .action(async (file: string, options: OutputOptions & GovernedOptions & { batch: string }) => {
      const document = checked(ConfirmationFile, await readBody(file));
      const uid = options.batch;
      const find = {
        find: (em: Parameters<typeof recordConfirmation>[0]) =>
          em.findOne(OrderBatch, { uid }, { filters: false }),
        code: 'batch_unknown',
        what: 'batch',
      };
      const confirmed = await onRecordAs(find, options, async (em, { uid: by }) => {
        const now = systemClock.now();
        const cause = { actor: { kind: 'person' as const, uid: by }, now };
        const confirmed = await recordConfirmation(em, uid, document, by, cause);
        const batch = await em.findOneOrFail(OrderBatch, { uid });
        const { source_system, source_reference, executing_broker } = document;
        await record(em, {
          op: 'batch.confirmed',
          by,
          ...ofTenant('order_batch', batch),
          refused: confirmed.ok ? undefined : confirmed.code,
          details: { source_system, source_reference, executing_broker, state: batch.state },
        });
        return confirmed;
      });
      if (!confirmed.ok) {
        if (confirmed.code === 'invalid_confirmation') throw invalidBody(confirmed.faults);
        throw new Refusal(confirmed.code, refusals[confirmed.code]);
      }
      const { batch, confirmation, isNew } = confirmed;
      const { closing_blockers, confirmation: state } = batch.progress;
      print(
        {
          uid: confirmation.uid,
          new: isNew,
          trade_confirmation: state,
          state: batch.state,
          closing_blockers,
        },
        options,
      );
    });
}
