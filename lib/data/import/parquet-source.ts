import { asyncBufferFromFile, parquetMetadataAsync, parquetScan, type FileMetaData } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { joinCsvLine } from './csv-line.ts';
import type { LineBlock, ReadProgress } from './csv-source.ts';
import { refuseFile } from './fault-list.ts';
import { ImportRefused } from './import-refused.ts';
import { textWriter, type ToText } from './parquet-text.ts';

const BLOCK_ROWS = 4_096;
/** A row group is held in memory whole; writers make them of a million rows at the most by default. */
const GROUP_ROWS_MAX = 4 * 1024 * 1024;
const GROUP_BYTES_MAX = 1024 ** 3;

/**
 * The rows of a Parquet file as lines of CSV, so that they are read as those of a CSV file are. The names of its
 * columns are line 0, so that a line has the number of its row. One row group after the other is in memory.
 * Throws an `ImportRefused` on what cannot be read, on columns within columns and on types that no column of ours has.
 */
export async function* parquetBlocks(
  path: string,
  onProgress?: (progress: ReadProgress) => void,
): AsyncGenerator<LineBlock> {
  const file = await asyncBufferFromFile(path);
  const metadata = await asRefusal(path, parquetMetadataAsync(file));
  const { names, writers } = columnsOf(metadata);
  yield { firstLine: 0, lines: [joinCsvLine(names)], undecodable: new Set(), isTyped: true };
  checkGroups(metadata);
  const scan = await asRefusal(
    path,
    parquetScan({
      file,
      metadata: withoutAnnotations(metadata),
      compressors,
      utf8: false,
      parsers: { timestampFromNanoseconds: (nanos) => nanos },
    }),
  );
  for (const { rowStart, rowEnd } of scan.ranges) {
    const columns = await asRefusal(
      path,
      Promise.all(names.map((column) => scan.readColumn({ column, rowStart, rowEnd }))),
    );
    const write = (row: number) =>
      joinCsvLine(columns.map((values, at) => writers[at]!(values[row - rowStart])));
    for (let from = rowStart; from < rowEnd; from += BLOCK_ROWS)
      yield blockOf(from, Math.min(from + BLOCK_ROWS, rowEnd), write);
    onProgress?.({ bytesRead: bytesUpTo(rowEnd, file.byteLength, metadata), bytesTotal: file.byteLength });
  }
}

function blockOf(from: number, to: number, write: (row: number) => string): LineBlock {
  const lines: string[] = [];
  const undecodable = new Set<number>();
  for (let row = from; row < to; row++) {
    try {
      lines.push(write(row));
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      undecodable.add(lines.length);
      lines.push('?');
    }
  }
  return { firstLine: from + 1, lines, undecodable, isTyped: true };
}

function columnsOf({ schema }: FileMetaData): { names: string[]; writers: ToText[] } {
  const [root, ...columns] = schema;
  const isNested = columns.length !== root?.num_children || columns.some((each) => each.num_children);
  const names = columns.map(({ name }) => name);
  const found = columns.map((element) =>
    isNested || element.repetition_type === 'REPEATED' ? 'is nested, or within another' : textWriter(element),
  );
  const writers = found.filter((each) => typeof each !== 'string');
  if (writers.length < found.length) {
    throw refuseFile(
      0,
      found.flatMap((reason, at) =>
        typeof reason === 'string' ? { column: names[at]!, value: null, reason } : [],
      ),
    );
  }
  return { names, writers };
}

/** Raw values: what the annotations mean is for `parquet-text.ts`. */
function withoutAnnotations(metadata: FileMetaData): FileMetaData {
  const schema = metadata.schema.map(({ converted_type: _, logical_type: __, ...element }) => element);
  return { ...metadata, schema };
}

function checkGroups({ row_groups: groups }: FileMetaData): void {
  const large = groups.find(
    (group) => group.num_rows > GROUP_ROWS_MAX || group.total_byte_size > GROUP_BYTES_MAX,
  );
  if (large === undefined) return;
  throw new ImportRefused(
    'import_refused',
    `a row group has ${large.num_rows} rows and ${large.total_byte_size} bytes; at most ${GROUP_ROWS_MAX} rows and 1 GiB are read at once`,
  );
}

function bytesUpTo(row: number, bytes: number, { num_rows: rows }: FileMetaData): number {
  return Math.round((bytes * row) / Math.max(Number(rows), 1));
}

async function asRefusal<T>(path: string, work: Promise<T>): Promise<T> {
  return work.catch((cause: Error) => {
    throw new ImportRefused('file_unreadable', `${path} cannot be read as Parquet: ${cause.message}`, {
      cause,
    });
  });
}
