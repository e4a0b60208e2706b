import type { FileMetaData } from 'hyparquet';
import type { RowBlock } from './parquet-rows.ts';

export type ParquetTask = { path: string; metadata: FileMetaData };
/** Asks for the next block; the first time it says of what. */
export type ParquetAsk = { task?: ParquetTask };
export type ParquetStep = { rows: RowBlock } | { fault: string } | { isOver: true };
