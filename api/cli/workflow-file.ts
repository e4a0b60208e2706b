import type { Command } from 'commander';
import { systemClock } from '#lib/core/clock.ts';
import type { Environment, Em } from '#lib/database/base.ts';
import {
  FEED_PATTERN,
  FILE_BYTES_MAX,
  keepFile,
  listFiles,
  removeFile,
  tenantOfFile,
  type FileRefusal,
  type KeptFile,
} from '#lib/workflows/file.repository.ts';
import { withPerson, type GovernedOptions } from './governed.ts';
import { listInPlace } from './list-in-place.ts';
import { inPlaceAs, onRecordAs, type Place } from './on-batch.ts';
import { withJson } from './options.ts';
import { print, type OutputOptions } from './output.ts';
import { placeOption } from './place-option.ts';
import { record } from './record.ts';
import { Refusal } from '#lib/core/refusal.ts';

type KeepOptions = OutputOptions & GovernedOptions & Place & { feed?: string };

const refusals: Record<FileRefusal, string> = {
  file_empty: 'the file is empty',
  file_too_large: `a file has ${FILE_BYTES_MAX / 1_048_576} MiB at most; gzip and Parquet are taken`,
  file_changed: 'the file was changed while it was being read',
};

/** The commands below `assay workflow` that are about the files which steps import. */
export function registerFiles(group: Command): void {
  withPerson(withJson(group.command('keep <file>')))
    .description('keep the bytes of a file, for steps that import it')
    .requiredOption('--workspace <uid>')
    .addOption(placeOption())
    .option('--feed <name>', 'a step that names the feed takes its newest file')
    .action(keep);
  listInPlace(
    group.command('files').description('list the files that are kept, newest first'),
    listFiles,
    present,
  );
  withPerson(withJson(group.command('discard <file>')))
    .description('delete the bytes of a file; that it was kept stays on record')
    .action(discard);
}

async function keep(path: string, options: KeepOptions): Promise<void> {
  const { workspace, environment, feed = null } = options;
  if (feed !== null && !new RegExp(FEED_PATTERN).test(feed)) {
    throw new Refusal('feed_invalid', '--feed takes 1 to 64 small letters, digits and . _ -');
  }
  const kept = await inPlaceAs(options, options, async (em, { uid: by }) => {
    const made = await keepFile(em, { path, feed, by, now: systemClock.now() });
    if (!made.ok) throw new Refusal(made.code, refusals[made.code]);
    if (made.isNew) await tell(em, { op: 'workflow.file_kept', workspace, environment, by, file: made.file });
    return made;
  }).catch((error: NodeJS.ErrnoException) => {
    if (error.syscall === 'open' || error.syscall === 'read') {
      throw new Refusal('file_unreadable', `cannot read ${path}`);
    }
    throw error;
  });
  print({ ...present(kept.file), already_kept: !kept.isNew }, options);
}

async function discard(uid: string, options: OutputOptions & GovernedOptions): Promise<void> {
  const about = {
    find: (em: Em) => tenantOfFile(em, uid),
    code: 'file_unknown',
    what: 'file of a workflow',
  };
  const removed = await onRecordAs(about, options, async (em, { uid: by }, place) => {
    const file = await removeFile(em, uid, systemClock.now());
    if (file) await tell(em, { op: 'workflow.file_discarded', ...place, by, file });
    return file;
  });
  if (!removed) throw new Refusal('file_discarded', 'its bytes were deleted before');
  print(present(removed), options);
}

type Told = {
  op: `workflow.file_${string}`;
  workspace: string;
  environment: Environment;
  by: string;
  file: KeptFile;
};

async function tell(em: Em, { file: { uid, feed, sha256, bytes }, ...told }: Told): Promise<void> {
  await record(em, {
    ...told,
    subject: { type: 'workflow_file', uid },
    details: { sha256, bytes, ...(feed === null ? {} : { feed }) },
  });
}

function present({ uid, feed, name, sha256, bytes, keptBy, keptAt, removedAt }: KeptFile) {
  return { uid, feed, name, sha256, bytes, kept_by: keptBy, kept_at: keptAt, removed_at: removedAt };
}
