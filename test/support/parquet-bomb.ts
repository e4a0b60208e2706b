/** The values of Thrift's compact protocol that Parquet uses. */
type Value =
  | { i32: number }
  | { i64: number }
  | { binary: string }
  | { struct: Fields }
  | { list: readonly Value[] }
  /** A list that declares `claimed` elements. Its actual number of elements may differ. */
  | { list: readonly Value[]; claimed: number };
type Fields = Readonly<Record<number, Value>>;

/**
 * A Parquet file with text columns in one row group. All columns share one page. The metadata of the file may
 * be false.
 */
export type Forged = {
  /** The stored content after the header of the only page. */
  page: Uint8Array;
  uncompressedBytes?: number;
  values: number;
  rows?: number;
  groupBytes?: number;
  isOptional?: boolean;
  codec?: 'UNCOMPRESSED' | 'GZIP' | 'ZSTD';
  encoding?: 'PLAIN' | 'RLE_DICTIONARY';
  /** The names of the columns. */
  columns?: readonly string[];
};

const CODECS = { UNCOMPRESSED: 0, GZIP: 2, ZSTD: 6 };
const ENCODINGS = { PLAIN: 0, RLE_DICTIONARY: 8 };
const BYTE_ARRAY = 6;

/** Returns the bytes of a forged file. */
export function forgedParquet({
  page,
  uncompressedBytes = page.length,
  values,
  rows = values,
  groupBytes = uncompressedBytes,
  isOptional = false,
  codec = 'UNCOMPRESSED',
  encoding = 'PLAIN',
  columns = ['symbol', 'date', 'close'],
}: Forged): Buffer {
  const header = struct({
    1: { i32: 0 },
    2: { i32: uncompressedBytes },
    3: { i32: page.length },
    5: { struct: { 1: { i32: values }, 2: { i32: ENCODINGS[encoding] }, 3: { i32: 3 }, 4: { i32: 3 } } },
  });
  const bytes = header.length + page.length;
  const chunk = (name: string): Fields => ({
    1: { i32: BYTE_ARRAY },
    2: { list: [{ i32: ENCODINGS[encoding] }] },
    3: { list: [{ binary: name }] },
    4: { i32: CODECS[codec] },
    5: { i64: values },
    6: { i64: groupBytes },
    7: { i64: bytes },
    9: { i64: 4 },
  });
  const elements = columns.map((name): Value => ({
    struct: {
      1: { i32: BYTE_ARRAY },
      3: { i32: isOptional ? 1 : 0 },
      4: { binary: name },
      6: { i32: 0 },
    },
  }));
  const group: Fields = {
    1: { list: columns.map((name) => ({ struct: { 2: { i64: 4 }, 3: { struct: chunk(name) } } })) },
    2: { i64: groupBytes },
    3: { i64: rows },
  };
  return withMetadata(Buffer.concat([header, page]), {
    1: { i32: 1 },
    2: { list: [{ struct: { 4: { binary: 'root' }, 5: { i32: columns.length } } }, ...elements] },
    3: { i64: rows },
    4: { list: [{ struct: group }] },
  });
}

/** Returns a file with the given metadata, valid or not. */
export function withMetadata(content: Uint8Array, metadata: Fields): Buffer {
  const footer = struct(metadata);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(footer.length);
  return Buffer.concat([Buffer.from('PAR1'), content, footer, length, Buffer.from('PAR1')]);
}

/** Returns a run of one value in Parquet's hybrid encoding: a few bytes for any number of repetitions. */
export function run(times: number, value: number): Buffer {
  return Buffer.concat([varint(BigInt(times) << 1n), Buffer.from([value])]);
}

/** Returns definition levels, preceded by their length in bytes. */
export function levels(content: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(content.length);
  return Buffer.concat([length, content]);
}

function struct(fields: Fields): Buffer {
  const parts: Buffer[] = [];
  let last = 0;
  for (const [name, value] of Object.entries(fields)) {
    const id = Number(name);
    parts.push(Buffer.from([((id - last) << 4) | typeOf(value)]), content(value));
    last = id;
  }
  return Buffer.concat([...parts, Buffer.from([0])]);
}

function typeOf(value: Value): number {
  if ('i32' in value) return 5;
  if ('i64' in value) return 6;
  if ('binary' in value) return 8;
  return 'list' in value ? 9 : 12;
}

function content(value: Value): Buffer {
  if ('i32' in value) return zigzag(value.i32);
  if ('i64' in value) return zigzag(value.i64);
  if ('binary' in value)
    return Buffer.concat([varint(BigInt(value.binary.length)), Buffer.from(value.binary)]);
  if ('struct' in value) return struct(value.struct);
  const { list } = value;
  const size = 'claimed' in value ? value.claimed : list.length;
  const type = list[0] ? typeOf(list[0]) : 12;
  return Buffer.concat([Buffer.from([0xf0 | type]), varint(BigInt(size)), ...list.map(content)]);
}

function zigzag(value: number): Buffer {
  const wide = BigInt(value);
  return varint(wide < 0n ? -wide * 2n - 1n : wide * 2n);
}

function varint(value: bigint): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return Buffer.from([...bytes, Number(rest)]);
}
