import { Refusal } from '#lib/core/refusal.ts';
import type { Tenant } from '#lib/database/base.ts';
import { defineCommand, personOf, type RefusalCode } from '#lib/governance/command.ts';
import { knownPlace, unknownWorkspace } from '#lib/access/known-place.query.ts';
import { entryOf } from './file-entry.ts';
import {
  FEED_PATTERN,
  FILE_BYTES_MAX,
  insertFile,
  lockFeed,
  measureFile,
  newestFile,
  type KeptFile,
} from './file.write.ts';

type Input = Tenant & {
  /** The path of the file. */
  path: string;
  /**
   * The feed of the file; null for a file without a feed. A step that names the feed imports the newest file of the
   * feed.
   */
  feed: string | null;
};

type KeepVerdict =
  | { ok: true; isNew: boolean }
  | { ok: false; code: 'feed_invalid' | 'file_empty' | 'file_too_large' };

const isFeed = (name: string) => new RegExp(FEED_PATTERN).test(name);

/**
 * Stores the bytes of a file, for steps that import it. A file equal to the newest file of its feed is not
 * stored again.
 */
export const keepFile = defineCommand<Input>()({
  find: knownPlace,
  unknown: 'workspace_unknown',
  async lock(em, { path, feed }) {
    const measured = await measureFile(path);
    await lockFeed(em, feed);
    return measured;
  },
  async facts(em, { sha256, bytes }, { feed }) {
    const newest = await newestFile(em, feed === null ? { sha256 } : { feed });
    return { sha256, bytes, same: newest?.sha256 === sha256 ? newest : undefined };
  },
  decide({ bytes, same }, { feed }): KeepVerdict {
    if (feed !== null && !isFeed(feed)) return { ok: false, code: 'feed_invalid' };
    if (bytes === 0) return { ok: false, code: 'file_empty' };
    if (bytes > FILE_BYTES_MAX) return { ok: false, code: 'file_too_large' };
    return { ok: true, isNew: same === undefined };
  },
  async write(em, { sha256, bytes, same }, _verdict, at): Promise<{ result: KeptFile }> {
    if (same) return { result: same };
    const { path, feed } = at.input;
    const kept = await insertFile(em, { path, feed, sha256, bytes, by: personOf(at), now: at.now });
    if (!kept) throw new Refusal('file_changed', 'The file changed while it was read.');
    return { result: kept };
  },
  entry: (_facts, verdict, _input, file) =>
    verdict.ok && verdict.isNew ? entryOf('file_kept', file!) : undefined,
  refusals: {
    ...unknownWorkspace,
    feed_invalid: 'The name of a feed has 1 to 64 lower-case letters, digits and . _ -',
    file_empty: 'The file is empty.',
    file_too_large: `A file has at most ${FILE_BYTES_MAX / 1_048_576} MiB. It may be gzip or Parquet.`,
  } satisfies Record<RefusalCode<KeepVerdict> | 'workspace_unknown', string>,
});
