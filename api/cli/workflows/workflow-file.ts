import type { Command } from 'commander';
import { Refusal } from '#lib/core/refusal.ts';
import type { Tenant } from '#lib/database/base.ts';
import { discardFile } from '#lib/workflows/discard-file.command.ts';
import { listFiles, type KeptFile } from '#lib/workflows/file.write.ts';
import { keepFile } from '#lib/workflows/keep-file.command.ts';
import { withPerson, type GovernedOptions } from '../shell/governed.ts';
import { listInPlace } from '../shell/list.ts';
import { withPlace } from '../shell/place.ts';
import { withJson } from '../shell/options.ts';
import { print, type OutputOptions } from '../shell/output.ts';
import { governAs } from '../shell/govern.ts';

type KeepOptions = OutputOptions & GovernedOptions & Tenant & { feed?: string };

/** Registers the commands below `assay workflow` for the files that steps import. */
export function registerFiles(group: Command): void {
  withPlace(withPerson(withJson(group.command('keep <file>'))))
    .description('store a file that steps of workflows can import')
    .option('--feed <name>', 'the feed of the file; a step that names a feed imports its newest file')
    .action(keep);
  listInPlace(group.command('files').description('list the stored files, newest first'), listFiles, present);
  withPerson(withJson(group.command('discard <file>')))
    .description('delete the bytes of a file; the record that it was stored remains')
    .action(async (file: string, options: OutputOptions & GovernedOptions) => {
      const { result } = await governAs(discardFile, { file }, options);
      print(present(result), options);
    });
}

async function keep(path: string, options: KeepOptions): Promise<void> {
  const { workspace, environment, feed = null } = options;
  const kept = await governAs(keepFile, { workspace, environment, path, feed }, options).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.syscall === 'open' || error.syscall === 'read') {
        throw new Refusal('file_unreadable', `cannot read ${path}`);
      }
      throw error;
    },
  );
  print({ ...present(kept.result), already_kept: !kept.isNew }, options);
}

function present({ uid, feed, name, sha256, bytes, keptBy, keptAt, removedAt }: KeptFile) {
  return { uid, feed, name, sha256, bytes, kept_by: keptBy, kept_at: keptAt, removed_at: removedAt };
}
