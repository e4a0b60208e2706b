import { defineCommand, type RefusalCode } from '#lib/governance/command.ts';
import { entryOf } from './file-entry.ts';
import { lockFile, placeOfFile, removeFile } from './file.write.ts';

type DiscardVerdict = { ok: true } | { ok: false; code: 'file_discarded' };

/** Deletes the bytes of a file. The record of the file remains. */
export const discardFile = defineCommand<{ file: string }>()({
  find: (em, { file }) => placeOfFile(em, file),
  unknown: 'file_unknown',
  lock: (em, { file }) => lockFile(em, file),
  facts: async (_em, isKept) => isKept,
  decide: (isKept): DiscardVerdict => (isKept ? { ok: true } : { ok: false, code: 'file_discarded' }),
  write: async (em, _facts, _verdict, { input: { file }, now }) => ({
    result: await removeFile(em, file, now),
  }),
  entry: (_facts, _verdict, _input, file) => file && entryOf('file_discarded', file),
  refusals: {
    file_unknown: 'The file does not exist.',
    file_discarded: 'The bytes of the file are already deleted.',
  } satisfies Record<RefusalCode<DiscardVerdict> | 'file_unknown', string>,
});
