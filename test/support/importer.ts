import type { DatasetKind } from '#lib/data/dataset.entity.ts';
import { importFile } from '#lib/data/import/load/import-file.ts';
import { checkBackup } from '#lib/database/backup/check.ts';
import { inPlatform, openOrm } from '#lib/database/orm.ts';

/** A file that an operator's process reads. */
export type Reading = { path: string } & (
  | { kind: 'backup' }
  | { kind: DatasetKind; operatorUrl: string; workspace: string }
);

/** The code and the detail of the rejection of a file, or the statement that it was accepted. */
export type Refusal = { code: string; detail: string };

// Reads one file after another. This file is the entry of a separate process, so that the memory of the
// process can be measured.
process.on('message', (reading: Reading) => {
  void read(reading)
    .then(
      (): Refusal => ({ code: 'taken', detail: '' }),
      (error: Error & { code?: string }): Refusal => ({
        code: error.code ?? error.name,
        detail: error.message,
      }),
    )
    .then((refusal) => process.send!(refusal));
});

async function read(reading: Reading): Promise<unknown> {
  if (reading.kind === 'backup') return checkBackup(reading.path);
  const { kind, path, operatorUrl, workspace } = reading;
  const orm = openOrm(operatorUrl, 1);
  try {
    return await inPlatform(orm, (em) => importFile(em, { kind, path, workspace }));
  } finally {
    await orm.close();
  }
}
