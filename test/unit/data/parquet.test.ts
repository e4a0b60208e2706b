import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { expect } from 'chai';
import fc from 'fast-check';
import type { SchemaElement } from 'hyparquet';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { splitCsvLine } from '#lib/data/import/readers/csv-line.ts';
import { lineBlocks } from '#lib/data/import/readers/csv-source.ts';
import { ImportRefused } from '#lib/data/import/load/import-refused.ts';
import { textWriter } from '#lib/data/import/readers/parquet-text.ts';

type Source = Parameters<typeof parquetWriteBuffer>[0];

describe('Parquet files', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'assay-parquet-'));
  });
  after(() => rm(folder, { recursive: true }));

  /** Returns the rows that are read from a file, by row number. Row 0 contains the column names. */
  async function read(content: Source | Uint8Array): Promise<Map<number, string[] | undefined>> {
    const file = path.join(folder, 'file.csv');
    await writeFile(
      file,
      content instanceof Uint8Array ? content : new Uint8Array(parquetWriteBuffer(content)),
    );
    const rows = new Map<number, string[] | undefined>();
    for await (const { firstLine, lines, undecodable } of lineBlocks(file)) {
      for (const [at, line] of lines.entries())
        rows.set(firstLine + at, undecodable.has(at) ? undefined : splitCsvLine(line));
    }
    return rows;
  }

  const column = async (element: Omit<SchemaElement, 'name'>, data: unknown[]) => {
    const rows = await read({
      columnData: [{ name: 'c', data }],
      schema: [
        { name: 'root', num_children: 1 },
        { name: 'c', repetition_type: 'OPTIONAL', ...element },
      ],
    });
    return [...rows.values()].slice(1).map((fields) => fields?.[0]);
  };

  it('are recognised by their first bytes and read as rows of text, with null as an empty text', async () => {
    const rows = await read({
      columnData: [
        { name: 'symbol', data: ['A', 'B,"C"', null], type: 'STRING' },
        { name: 'volume', data: [9_007_199_254_740_993n, -1n, null], type: 'INT64' },
        { name: 'is_open', data: [true, false, null], type: 'BOOLEAN' },
      ],
    });
    expect([...rows]).to.deep.equal([
      [0, ['symbol', 'volume', 'is_open']],
      [1, ['A', '9007199254740993', 'true']],
      [2, ['B,"C"', '-1', 'false']],
      [3, ['', '', '']],
    ]);
  });

  it('give each row its number in the file across row groups', async () => {
    const data = Array.from({ length: 10_000 }, (_, row) => BigInt(row));
    const rows = await read({ columnData: [{ name: 'n', data, type: 'INT64' }], rowGroupSize: 3_000 });
    expect(rows.size).to.equal(10_001);
    for (const row of [1, 3_000, 3_001, 4_096, 4_097, 9_999, 10_000]) {
      expect(rows.get(row)).to.deep.equal([String(row - 1)]);
    }
  });

  it('are read with every supported compression', async () => {
    const data = Array.from({ length: 1_000 }, (_, row) => `text ${row % 7}`);
    const packed = {
      GZIP: (bytes: Uint8Array) => new Uint8Array(gzipSync(bytes)),
      BROTLI: (bytes: Uint8Array) => new Uint8Array(brotliCompressSync(bytes)),
      ZSTD: (bytes: Uint8Array) => new Uint8Array(zstdCompressSync(bytes)),
    };
    for (const codec of ['UNCOMPRESSED', 'SNAPPY', 'GZIP', 'BROTLI', 'ZSTD'] as const) {
      const columnData = [{ name: 'c', data, type: 'STRING' as const }];
      const rows = await read({ columnData, codec, compressors: packed });
      expect([...rows.values()].slice(1).flat(), codec).to.deep.equal(data);
    }
  });

  it('give floating-point numbers as decimals with the fewest digits that parse to the same number', async () => {
    const doubles = [28.7, 0.1 + 0.2, -1e-7, 1.5e21, 5e-324, 100, NaN];
    expect(await column({ type: 'DOUBLE' }, doubles)).to.deep.equal([
      '28.7',
      '0.30000000000000004',
      '-0.0000001',
      '1500000000000000000000',
      `0.${'0'.repeat(323)}5`,
      '100',
      '',
    ]);
    const floats = [28.7, 0.1, 16_777_216, 1e-7, -3.4e38].map(Math.fround);
    expect(await column({ type: 'FLOAT' }, floats)).to.deep.equal([
      '28.7',
      '0.1',
      '16777216',
      '0.0000001',
      `-34${'0'.repeat(37)}`,
    ]);
  });

  it('give every floating-point number as a decimal that parses to the same number', () => {
    const double = textWriter({ name: 'c', type: 'DOUBLE' }) as (value: number) => string;
    const float = textWriter({ name: 'c', type: 'FLOAT' }) as (value: number) => string;
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(double(value)).to.match(/^-?\d+(\.\d+)?$/);
        expect(Number(double(value)) === value).to.equal(true);
      }),
    );
    fc.assert(
      fc.property(fc.float({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(float(value)).to.match(/^-?\d+(\.\d+)?$/);
        expect(Math.fround(Number(float(value))) === value).to.equal(true);
      }),
    );
  });

  it('give decimals with all their digits, in every storage format', () => {
    const decimal = (element: Partial<SchemaElement>) =>
      textWriter({ name: 'c', converted_type: 'DECIMAL', ...element }) as (value: unknown) => string;
    expect(decimal({ type: 'INT32', scale: 2 })(-12_345)).to.equal('-123.45');
    expect(decimal({ type: 'INT64', scale: 4 })(5n)).to.equal('0.0005');
    expect(decimal({ type: 'INT64', scale: 0 })(50n)).to.equal('50');
    const logical_type = { type: 'DECIMAL', precision: 30, scale: 10 } as const;
    const bytes = (value: bigint) =>
      new Uint8Array(Buffer.from(BigInt.asUintN(128, value).toString(16).padStart(32, '0'), 'hex'));
    const wide = decimal({ type: 'FIXED_LEN_BYTE_ARRAY', type_length: 16, logical_type });
    expect(wide(bytes(123_456_789_012_345_678_901_234_567_890n))).to.equal('12345678901234567890.1234567890');
    expect(wide(bytes(-1n))).to.equal('-0.0000000001');
  });

  it('give each decimal number with as many decimal places as its scale', async () => {
    const data = ['172389', '-1', '0'].map((text) => Number(text) / 10_000);
    const element = { type: 'INT64', converted_type: 'DECIMAL', scale: 4, precision: 18 } as const;
    expect(await column(element, data)).to.deep.equal(['17.2389', '-0.0001', '0.0000']);
  });

  it('convert dates and timestamps to text without loss of digits', async () => {
    const days = [new Date('2020-02-29'), new Date('1969-12-31')];
    expect(await column({ type: 'INT32', converted_type: 'DATE' }, days)).to.deep.equal([
      '2020-02-29',
      '1969-12-31',
    ]);
    const moment = (unit: 'MILLIS' | 'MICROS' | 'NANOS', isAdjustedToUTC: boolean) =>
      textWriter({
        name: 'c',
        type: 'INT64',
        logical_type: { type: 'TIMESTAMP', unit, isAdjustedToUTC },
      }) as (value: bigint) => string;
    expect(moment('MILLIS', true)(1_582_934_400_000n)).to.equal('2020-02-29T00:00:00Z');
    expect(moment('MICROS', true)(-1n)).to.equal('1969-12-31T23:59:59.999999Z');
    expect(moment('NANOS', false)(1_582_934_400_120_000_000n)).to.equal('2020-02-29T00:00:00.12');
  });

  it('are read except for a row whose text is not valid UTF-8, which is reported', async () => {
    const data = [Buffer.from('A'), Buffer.from([0xff]), Buffer.from('B')].map(
      (each) => new Uint8Array(each),
    );
    expect(await column({ type: 'BYTE_ARRAY' }, data)).to.deep.equal(['A', undefined, 'B']);
  });

  it('are rejected with the names of columns that cannot be converted to text', async () => {
    const refusal = await read({
      columnData: [{ name: 'c', data: [{ a: 1 }], type: 'JSON' }],
    }).catch((error: unknown) => error);
    expect(refusal).to.be.instanceOf(ImportRefused);
    expect((refusal as ImportRefused).errors).to.deep.equal([
      {
        line: 0,
        column: 'c',
        value: null,
        reason: 'has the unsupported type BYTE_ARRAY JSON',
      },
    ]);
  });

  it('are rejected as unreadable if they are truncated or damaged', async () => {
    const whole = new Uint8Array(
      parquetWriteBuffer({ columnData: [{ name: 'n', data: [1, 2, 3], type: 'INT32' }] }),
    );
    for (const broken of [whole.slice(0, 4), whole.slice(0, -8), whole.slice(0, whole.length / 2)]) {
      const refusal = await read(broken).catch((error: unknown) => error);
      expect(refusal).to.be.instanceOf(ImportRefused);
      expect((refusal as ImportRefused).code).to.equal('file_unreadable');
    }
  });
});
