import type { ParquetAsk, ParquetStep } from './parquet-steps.ts';
import { parquetRows, type RowBlock } from './parquet-rows.ts';

let blocks: AsyncGenerator<RowBlock>;

// The entry point of a process that reads one Parquet file, block by block on request.
process.on('message', ({ task }: ParquetAsk) => {
  if (task) blocks = parquetRows(task.path, task.metadata);
  void blocks
    .next()
    .then(({ done, value }): ParquetStep => (done ? { isOver: true } : { rows: value }))
    .catch((error: Error): ParquetStep => ({ fault: error.message }))
    .then((step) => process.send!(step));
});
