import type { FileMetaData } from 'hyparquet';
import type { RowBlock } from './parquet-rows.ts';

export type ParquetTask = { path: string; metadata: FileMetaData };
/** A request to the reading process for the next block. The first request names the file. */
export type ParquetAsk = { task?: ParquetTask };
export type ParquetStep = { rows: RowBlock } | { fault: string } | { isOver: true };
