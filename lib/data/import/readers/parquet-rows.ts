import { brotliDecompressSync, unzipSync, zstdDecompressSync } from 'node:zlib';
import { asyncBufferFromFile, parquetScan, type Compressors, type FileMetaData } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { joinCsvLine } from './csv-line.ts';
import type { LineBlock } from './line-block.ts';
import { LINE_BYTES_MAX } from './line-limit.ts';
import { textWriter, type ToText } from './parquet-text.ts';

const BLOCK_ROWS = 4_096;
/** The maximum number of characters of a block. Rows with long texts lead to blocks with fewer rows. */
const BLOCK_CHARACTERS = 4 * 1024 * 1024;
/** The maximum size of a row group, in bytes. All decompressed pages of a row group are in memory at once. */
export const GROUP_BYTES_MAX = 1024 * 1024 * 1024;

/** Rows as CSV lines, and the row up to which the file has been read. */
export type RowBlock = { block: LineBlock; rowEnd: number };

/**
 * Yields the rows of a Parquet file with checked metadata, one row group at a time. Throws if the file is
 * damaged.
 */
export async function* parquetRows(path: string, metadata: FileMetaData): AsyncGenerator<RowBlock> {
  const file = await asyncBufferFromFile(path);
  const { names, writers } = columnsOf(metadata);
  const { decompressors, startGroup } = limitedCompressors();
  const scan = await parquetScan({
    file,
    metadata: withoutAnnotations(metadata),
    compressors: decompressors,
    utf8: false,
    parsers: { timestampFromNanoseconds: (nanos) => nanos },
  });
  for (const { rowStart, rowEnd } of scan.ranges) {
    startGroup();
    const columns = await Promise.all(names.map((column) => scan.readColumn({ column, rowStart, rowEnd })));
    const write = (row: number) =>
      joinCsvLine(columns.map((values, at) => (writers[at] as ToText)(values[row - rowStart])));
    for (const block of blocksOf(rowStart, rowEnd, write)) yield { block, rowEnd };
  }
}

/**
 * Returns the names of the columns of a file. For each column, also returns the function that writes its values as
 * text, or the reason why the column is not supported.
 */
export function columnsOf({ schema }: FileMetaData): { names: string[]; writers: (ToText | string)[] } {
  const [root, ...columns] = schema;
  const isNested = columns.length !== root?.num_children || columns.some((each) => each.num_children);
  const writers = columns.map((element) =>
    isNested || element.repetition_type === 'REPEATED'
      ? 'is nested, or part of a nested column'
      : textWriter(element),
  );
  return { names: columns.map(({ name }) => name), writers };
}

/**
 * Limits decompression. A page may expand to the size in its header, and all pages of a row group together to
 * `GROUP_BYTES_MAX`.
 */
function limitedCompressors(): { decompressors: Compressors; startGroup(): void } {
  let bytes = 0;
  const limited = ([codec, decompress]: [string, Decompress]): [string, Decompress] => [
    codec,
    (input, outputLength) => {
      bytes += outputLength;
      if (bytes > GROUP_BYTES_MAX) throw new Error('the pages of a row group exceed 1 GiB');
      return decompress(input, outputLength);
    },
  ];
  return {
    decompressors: Object.fromEntries(Object.entries({ ...compressors, ...bounded }).map(limited)),
    startGroup: () => (bytes = 0),
  };
}

type Decompress = (input: Uint8Array, outputLength: number) => Uint8Array;

const bounded: Record<string, Decompress> = {
  GZIP: (input, maxOutputLength) => unzipSync(input, { maxOutputLength }),
  BROTLI: (input, maxOutputLength) => brotliDecompressSync(input, { maxOutputLength }),
  ZSTD: (input, maxOutputLength) => zstdDecompressSync(input, { maxOutputLength }),
};

function* blocksOf(from: number, to: number, write: (row: number) => string): Generator<LineBlock> {
  for (let row = from; row < to;) {
    const firstLine = row + 1;
    const lines: string[] = [];
    const undecodable = new Set<number>();
    for (let characters = 0; row < to && lines.length < BLOCK_ROWS && characters < BLOCK_CHARACTERS; row++) {
      const line = lineOf(row, write);
      if (line === undefined) undecodable.add(lines.length);
      else if (line.length > LINE_BYTES_MAX) throw new Error(`row ${row + 1} is longer than 1 MiB`);
      lines.push(line ?? '?');
      characters += line?.length ?? 0;
    }
    yield { firstLine, lines, undecodable, isTyped: true };
  }
}

/** Returns the CSV line of a row; undefined if the row contains text that is not valid UTF-8. */
function lineOf(row: number, write: (row: number) => string): string | undefined {
  try {
    return write(row);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** Removes annotations to get raw values. `parquet-text.ts` interprets the annotations. */
function withoutAnnotations(metadata: FileMetaData): FileMetaData {
  const schema = metadata.schema.map(({ converted_type: _, logical_type: __, ...element }) => element);
  return { ...metadata, schema };
}
