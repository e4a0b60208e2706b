import type { FileMetaData } from 'hyparquet';
import { parquetRows, type RowBlock } from './parquet-rows.ts';

export type ParquetTask = { path: string; metadata: FileMetaData };
/** Asks for the next block; the first time it says of what. */
export type ParquetAsk = { task?: ParquetTask };
export type ParquetStep = { rows: RowBlock } | { fault: string } | { isOver: true };

let blocks: AsyncGenerator<RowBlock>;

// The entry of a process that reads one Parquet file, block by block as it is asked.
process.on('message', ({ task }: ParquetAsk) => {
  if (task) blocks = parquetRows(task.path, task.metadata);
  void blocks
    .next()
    .then(({ done, value }): ParquetStep => (done ? { isOver: true } : { rows: value }))
    .catch((error: Error): ParquetStep => ({ fault: error.message }))
    .then((step) => process.send!(step));
});
