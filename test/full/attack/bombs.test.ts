import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import type { DatasetKind } from '#lib/data/dataset.entity.ts';
import { HEAP_OPTIONS } from '#lib/core/heap.ts';
import { roleUrl } from '#lib/database/roles.ts';
import { useImportDatabase } from '../../support/import-database.ts';
import type { Reading, Refusal } from '../../support/importer.ts';
import { watchMemory } from '../../support/memory.ts';
import { forgedParquet, levels, run, withMetadata } from '../../support/parquet-bomb.ts';
import { times } from '../../support/repetitions.ts';

const MEBIBYTE = 1024 * 1024;
/** The expanded size of a bomb in bytes. It exceeds every limit and the allowed memory. */
const BURST_MIB = times({ usual: 300, full: 300, all: 8_192 });
/**
 * The maximum memory of a process in MiB. It includes the loaded modules and the part of a file that the
 * process may hold.
 */
const MEMORY_MIB_MAX = 700;

/** A very long text: its beginning, and a part that is repeated `count` times. */
type Burst = { head: Buffer; chunk: Buffer; count: number };

type Bomb = {
  about: string;
  kind: DatasetKind;
  content(): Uint8Array | Burst;
  gzip?: true;
  code: string;
  detail: RegExp;
};

const text = (value: string) => {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(value.length);
  return Buffer.concat([length, Buffer.from(value)]);
};
const repeated = (
  piece: string | Buffer,
  { head = '' as string | Buffer, mebibytes = BURST_MIB } = {},
): Burst => ({
  head: Buffer.from(head),
  chunk: Buffer.from(piece.toString('latin1').repeat(Math.ceil(MEBIBYTE / piece.length)), 'latin1'),
  count: mebibytes,
});

const TOO_LARGE =
  /^.* cannot be read as Parquet: its pages need more than the \d+ MiB allowed for its row groups$/;
const HEADER = 'symbol,date,close\n';

const bombs: Bomb[] = [
  {
    about: 'gzip of zeros',
    kind: 'prices',
    content: () => repeated('\0'),
    gzip: true,
    code: 'import_refused',
    detail: /^line 1 is longer than 1 MiB/,
  },
  {
    about: 'a gzip file inside a gzip file of zeros',
    kind: 'prices',
    content: () => gzipSync(Buffer.alloc(64 * MEBIBYTE)),
    gzip: true,
    code: 'import_refused',
    detail: /./,
  },
  {
    about: 'a gzip file of one row repeated many times',
    kind: 'prices',
    content: () => repeated(`A,2021-01-29,${'9'.repeat(900)}\n`, { head: HEADER }),
    gzip: true,
    code: 'import_refused',
    detail: /^the file decompresses to more than 200 times its size$/,
  },
  {
    about: 'a gzip file of line feeds',
    kind: 'prices',
    content: () => repeated('\n', { head: HEADER }),
    gzip: true,
    code: 'import_refused',
    detail: /^the file decompresses to more than 200 times its size$/,
  },
  {
    about: 'a single line without a line feed',
    kind: 'prices',
    content: () => repeated('1', { head: `${HEADER}A,2021-01-29,`, mebibytes: 64 }),
    code: 'import_refused',
    detail: /^line 2 is longer than 1 MiB/,
  },
  {
    about: 'a quoted field without a closing quote',
    kind: 'prices',
    content: () => repeated('"A\n', { head: `${HEADER}"A,2021-01-29,1\n`, mebibytes: 16 }),
    code: 'import_refused',
    detail: /errors?; nothing was loaded$/,
  },
  {
    about: 'a CSV file with half a million columns',
    kind: 'prices',
    content: () => Buffer.from(`symbol,date,close${',x'.repeat(500_000)}\nA,2021-01-29,1\n`),
    code: 'import_refused',
    detail: /./,
  },
  {
    about: 'a CSV file with a million columns',
    kind: 'prices',
    content: () => Buffer.from(`symbol,date,close${',x'.repeat(1_000_000)}\nA,2021-01-29,1\n`),
    code: 'import_refused',
    detail: /^line 1 is longer than 1 MiB/,
  },
  {
    about: 'a Parquet file with a run of a billion definition levels',
    kind: 'prices',
    content: () =>
      forgedParquet({ page: Buffer.concat([levels(run(1e9, 1)), text('A')]), values: 1, isOptional: true }),
    code: 'file_unreadable',
    detail: TOO_LARGE,
  },
  {
    about: 'a Parquet file whose page has a billion values in one row',
    kind: 'prices',
    content: () =>
      forgedParquet({ page: levels(run(2 ** 30, 0)), values: 2 ** 30, rows: 1, isOptional: true }),
    code: 'file_unreadable',
    detail: TOO_LARGE,
  },
  {
    about: 'a Parquet file whose page decompresses to more bytes than its header states',
    kind: 'prices',
    content: () =>
      forgedParquet({
        page: gzipSync(Buffer.alloc(300 * MEBIBYTE)),
        uncompressedBytes: 1_000,
        values: 1,
        codec: 'GZIP',
      }),
    code: 'file_unreadable',
    detail: /^.* cannot be read as Parquet: Cannot create a Buffer larger than 1000 bytes$/,
  },
  {
    about: 'a Parquet file whose page header states a decompressed size of 2 GiB',
    kind: 'prices',
    content: () =>
      forgedParquet({
        page: gzipSync(text('A')),
        uncompressedBytes: 2 ** 31 - 1,
        groupBytes: 100,
        values: 1,
        codec: 'GZIP',
      }),
    code: 'file_unreadable',
    detail: /the pages of a row group exceed 1 GiB$/,
  },
  {
    about: 'a Parquet file whose metadata states a quintillion rows',
    kind: 'prices',
    content: () => forgedParquet({ page: text('A'), values: 1, rows: 1e18 }),
    code: 'import_refused',
    detail: /^a row group has 1000000000000000000 rows/,
  },
  {
    about: 'a Parquet file with metadata of 64 MiB',
    kind: 'prices',
    content: () => {
      const end = Buffer.from('\0\0\0\0PAR1');
      end.writeUInt32LE(64 * MEBIBYTE);
      return Buffer.concat([Buffer.from('PAR1'), Buffer.alloc(64 * MEBIBYTE), end]);
    },
    code: 'import_refused',
    detail: /^the metadata of the file has 67108864 bytes; the maximum is 16777216$/,
  },
  {
    about: 'a Parquet file whose schema states two billion columns',
    kind: 'prices',
    content: () =>
      withMetadata(Buffer.alloc(0), { 1: { i32: 1 }, 2: { list: [{ struct: {} }], claimed: 2 ** 31 - 1 } }),
    code: 'file_unreadable',
    detail: /^.* cannot be read as Parquet: /,
  },
  {
    about: 'a Parquet file with a hundred thousand columns',
    kind: 'prices',
    content: () =>
      forgedParquet({
        page: text('A'),
        values: 1,
        columns: Array.from({ length: 100_000 }, (_, at) => `c${at}`),
      }),
    code: 'import_refused',
    detail: /./,
  },
];

describe(`Files that expand to ${BURST_MIB} MiB`, function () {
  const { database, workspace } = useImportDatabase();
  let reader: ChildProcess;
  beforeEach(() => {
    reader = fork(new URL('../../support/importer.ts', import.meta.url), {
      execArgv: HEAP_OPTIONS, // as the processes of the product
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
  });
  afterEach(() => reader.kill('SIGKILL'));

  /**
   * Writes a file. A gzip file consists of one member for each chunk. Readers of gzip concatenate the members.
   */
  async function fill(name: string, content: Uint8Array | Burst, isGzip = false): Promise<string> {
    const file = path.join(database.folder, name);
    const packed = (bytes: Uint8Array) => (isGzip ? gzipSync(bytes) : bytes);
    if (content instanceof Uint8Array) await writeFile(file, packed(content));
    else {
      const chunk = packed(content.chunk);
      const chunks = Array.from({ length: content.count }, () => chunk);
      await writeFile(file, [packed(content.head), ...chunks]);
    }
    return file;
  }

  /** Returns the refusal of the file, after checking that the refusal takes no more memory than allowed. */
  async function refusalOf(reading: Reading): Promise<Refusal> {
    const watch = watchMemory(reader.pid!);
    const ended = once(reader, 'exit').then(([code, signal]): Refusal => ({
      code: `the process ended (${signal ?? code})`,
      detail: '',
    }));
    const answered = once(reader, 'message').then(([refusal]) => refusal as Refusal);
    reader.send(reading);
    const refusal = await Promise.race([answered, ended]);
    expect(watch.stop(), `MiB for ${JSON.stringify(refusal)}`).to.be.at.most(MEMORY_MIB_MAX);
    return refusal;
  }

  for (const { about, kind, content, gzip, code, detail } of bombs) {
    it(`are rejected without any write: ${about}`, async () => {
      const file = await fill(about.replaceAll(' ', '-'), content(), gzip);
      const operatorUrl = roleUrl(database.ownerUrl, 'operator');
      const refusal = await refusalOf({ kind, path: file, workspace: workspace(), operatorUrl });
      expect(refusal.code, refusal.detail).to.equal(code);
      expect(refusal.detail).to.match(detail);
      const rows = await database.operate((em) =>
        em.execute(`select uid from dataset where workspace_uid = ?`, [workspace()]),
      );
      expect(rows).to.deep.equal([]);
    });
  }

  const header = (name: string, size: number, typeflag: string): Buffer => {
    const block = Buffer.alloc(512);
    block.write(name, 0);
    block.write('0000600\0', 100);
    block.write('0000000\0', 108);
    block.write('0000000\0', 116);
    block.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
    block.write('00000000000\0', 136);
    block.write('        ', 148);
    block.write(typeflag, 156);
    block.write('ustar\x0000', 257);
    const sum = block.reduce((total, byte) => total + byte, 0);
    block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
    return block;
  };
  const GIBIBYTES = 7 * 1024 * MEBIBYTE;
  const backups: [string, () => Burst][] = [
    ['zeros', () => repeated('\0')],
    ['a name of 7 GiB', () => repeated('x', { head: header('name', GIBIBYTES, 'L') })],
    ['attributes of 7 GiB', () => repeated('1', { head: header('attributes', GIBIBYTES, 'x') })],
    ['a manifest of 7 GiB', () => repeated('[', { head: header('manifest.json', GIBIBYTES, '0') })],
    ['members without an end', () => repeated(header('price/0001', 0, '0'))],
  ];
  for (const [about, content] of backups) {
    it(`are rejected as backups: ${about}`, async () => {
      const file = await fill(`${about.replaceAll(' ', '-')}.tar.gz`, content(), true);
      const refusal = await refusalOf({ kind: 'backup', path: file });
      expect(refusal.code, refusal.detail).to.equal('backup_damaged');
    });
  }
});
