import type { Command } from 'commander';
import { ConfirmationFile } from '#lib/actions/execution/evidence/confirmation.ts';
import { recordConfirmation } from '#lib/actions/execution/evidence/record-confirmation.command.ts';
import { withPerson, type GovernedOptions } from '../shell/governed.ts';
import { readBody } from '../shell/governed-kind.ts';
import { withJson } from '../shell/options.ts';
import { print, type OutputOptions } from '../shell/output.ts';
import { checked } from '../shell/document.ts';
import { governAs } from '../shell/govern.ts';

export function registerConfirm(group: Command): void {
  withPerson(withJson(group.command('confirm <file>')))
    .description('record a trade confirmation from a JSON file; a confirmation never closes the batch')
    .requiredOption('--batch <uid>', 'the batch that the confirmation refers to')
    .action(async (file: string, options: OutputOptions & GovernedOptions & { batch: string }) => {
      const offered = checked(ConfirmationFile, await readBody(file));
      const { result } = await governAs(recordConfirmation, { batch: options.batch, offered }, options);
      const { uid, isNew, batch } = result;
      const { closing_blockers, confirmation: trade_confirmation } = batch.progress;
      print({ uid, new: isNew, trade_confirmation, state: batch.state, closing_blockers }, options);
    });
}
