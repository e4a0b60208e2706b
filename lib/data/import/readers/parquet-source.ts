import { fork } from 'node:child_process';
import { once } from 'node:events';
import { asyncBufferFromFile, parquetMetadataAsync, type AsyncBuffer, type FileMetaData } from 'hyparquet';
import { joinCsvLine } from './csv-line.ts';
import type { LineBlock, ReadProgress } from './line-block.ts';
import { refuseFile } from '../load/fault-list.ts';
import { ImportRefused } from '../load/import-refused.ts';
import { columnsOf, GROUP_BYTES_MAX, type RowBlock } from './parquet-rows.ts';
import type { ParquetAsk, ParquetStep, ParquetTask } from './parquet-steps.ts';

const MEBIBYTE = 1024 * 1024;
/**
 * The maximum size of the metadata at the end of a file, in bytes. In memory, the metadata needs many times this size.
 */
const METADATA_BYTES_MAX = 16 * MEBIBYTE;
/**
 * The maximum number of rows of a row group, which is held in memory as a whole. By default, writers use at most a
 * million rows.
 */
const GROUP_ROWS_MAX = 4 * MEBIBYTE;
/** The estimated memory of one value of any column, in bytes. */
const VALUE_BYTES = 256;
const HEAP_MIB_MIN = 256;
const HEAP_MIB_MAX = 4_096;

/**
 * Yields the rows of a Parquet file as CSV lines, so that they are read like a CSV file. The column names are line 0,
 * so line numbers equal row numbers. Row groups are read one at a time in a separate process. The memory limit of this
 * process follows from the stated size of the largest row group, because a few bytes of a page can represent billions
 * of values. Throws an `ImportRefused` if the file cannot be read, or has nested columns or unsupported types.
 */
export async function* parquetBlocks(
  path: string,
  onProgress?: (progress: ReadProgress) => void,
): AsyncGenerator<LineBlock> {
  const file = await asyncBufferFromFile(path);
  await checkMetadataSize(file);
  const metadata = await parquetMetadataAsync(file).catch((cause: Error) => {
    throw damaged(path, cause.message, cause);
  });
  const names = checkedNames(metadata);
  yield { firstLine: 0, lines: [joinCsvLine(names)], undecodable: new Set(), isTyped: true };
  checkGroups(metadata);
  for await (const { block, rowEnd } of readApart({ path, metadata })) {
    yield block;
    onProgress?.({ bytesRead: bytesUpTo(rowEnd, file.byteLength, metadata), bytesTotal: file.byteLength });
  }
}

async function* readApart(task: ParquetTask): AsyncGenerator<RowBlock> {
  const heapMib = heapMibOf(task.metadata);
  const child = fork(new URL('parquet-child.ts', import.meta.url), {
    execArgv: [`--max-old-space-size=${heapMib}`],
    env: {},
    serialization: 'advanced',
    stdio: 'ignore', // otherwise the child prints fatal errors of Node
  });
  const ended = once(child, 'exit').then(() => {
    throw damaged(task.path, `its pages need more than the ${heapMib} MiB allowed for its row groups`);
  });
  ended.catch(() => {}); // the race in the loop throws the same error
  try {
    for (let ask: ParquetAsk = { task }; ; ask = {}) {
      const answered = once(child, 'message').then(([step]) => step as ParquetStep);
      child.send(ask);
      const step = await Promise.race([answered, ended]);
      if ('isOver' in step) return;
      if ('fault' in step) throw damaged(task.path, step.fault);
      yield step.rows;
    }
  } finally {
    child.kill('SIGKILL');
  }
}

function heapMibOf({ schema, row_groups: groups }: FileMetaData): number {
  const needed = groups.map(
    ({ num_rows: rows, total_byte_size: bytes }) =>
      (Number(rows) * schema.length * VALUE_BYTES + Number(bytes)) / MEBIBYTE,
  );
  return Math.round(Math.min(HEAP_MIB_MAX, HEAP_MIB_MIN + Math.max(0, ...needed)));
}

/**
 * Checks the metadata size. A file ends with the length of its metadata and the name of the format. Other
 * endings are rejected by the reader.
 */
async function checkMetadataSize(file: AsyncBuffer): Promise<void> {
  const end = Buffer.from(await file.slice(Math.max(0, file.byteLength - 8)));
  const bytes = end.toString('latin1', 4) === 'PAR1' ? end.readUInt32LE() : 0;
  if (bytes <= METADATA_BYTES_MAX) return;
  throw new ImportRefused(
    'import_refused',
    `the metadata of the file has ${bytes} bytes; the maximum is ${METADATA_BYTES_MAX}`,
  );
}

function checkedNames(metadata: FileMetaData): string[] {
  const { names, writers } = columnsOf(metadata);
  const faults = writers.flatMap((reason, at) =>
    typeof reason === 'string' ? { column: names[at]!, value: null, reason } : [],
  );
  if (faults.length > 0) throw refuseFile(0, faults);
  return names;
}

function checkGroups({ row_groups: groups }: FileMetaData): void {
  const large = groups.find(
    (group) => group.num_rows > GROUP_ROWS_MAX || group.total_byte_size > GROUP_BYTES_MAX,
  );
  if (large === undefined) return;
  throw new ImportRefused(
    'import_refused',
    `a row group has ${large.num_rows} rows and ${large.total_byte_size} bytes; the maximum is ` +
      `${GROUP_ROWS_MAX} rows and 1 GiB`,
  );
}

function bytesUpTo(row: number, bytes: number, { num_rows: rows }: FileMetaData): number {
  return Math.round((bytes * row) / Math.max(Number(rows), 1));
}

function damaged(path: string, what: string, cause?: Error): ImportRefused {
  return new ImportRefused('file_unreadable', `${path} cannot be read as Parquet: ${what}`, { cause });
}
