import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import fc from 'fast-check';
import { contentHash, lineBlocks } from '#lib/data/import/readers/csv-source.ts';
import { ImportRefused } from '#lib/data/import/load/import-refused.ts';

describe('the lines of an imported text file', () => {
  let folder: string;
  let file: string;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'assay-lines-'));
    file = path.join(folder, 'file.csv');
  });

  after(() => rm(folder, { recursive: true }));

  async function linesOf(content: Uint8Array | string) {
    await writeFile(file, content);
    const lines: string[] = [];
    const undecodable: number[] = [];
    for await (const block of lineBlocks(file)) {
      expect(block.firstLine).to.equal(lines.length + 1);
      undecodable.push(...[...block.undecodable].map((at) => block.firstLine + at));
      lines.push(...block.lines);
    }
    return { lines, undecodable };
  }

  // The reader receives the file in chunks. A chunk can end within a line or within a character.
  it('are complete across chunk boundaries', async () => {
    const lines = Array.from({ length: 60_000 }, (_, at) => `${at},é${'x'.repeat(at % 13)},ß`);
    expect((await linesOf(lines.join('\n'))).lines).to.deep.equal(lines);
    expect((await linesOf(gzipSync(lines.join('\r\n')))).lines).to.deep.equal(lines);
  });

  it('are the lines of the original text, for any text', async () => {
    const unit = fc.constantFrom('a', 'é', '\n', '\r\n', ',', '€');
    await fc.assert(
      fc.asyncProperty(fc.string({ unit, maxLength: 30 }), async (text) => {
        const expected = text.split(/\r?\n/);
        if (expected.at(-1) === '') expected.pop();
        expect((await linesOf(text)).lines).to.deep.equal(expected);
      }),
    );
  });

  it('omit a byte order mark at the start of the file, but keep any other byte order mark', async () => {
    expect((await linesOf('\ufeffa,b\n\ufeffc\n')).lines).to.deep.equal(['a,b', '\ufeffc']);
  });

  it('continue in a second gzip member', async () => {
    const members = Buffer.concat([gzipSync('a\nb'), gzipSync('c\nd\n')]);
    expect((await linesOf(members)).lines).to.deep.equal(['a', 'bc', 'd']);
  });

  it('are reported by number if they are not UTF-8, and the other lines are read', async () => {
    const content = Buffer.from('é1\n#2\né3\r\n#4', 'utf8');
    for (const at of content.keys()) if (content[at] === 35) content[at] = 0xff;
    const { lines, undecodable } = await linesOf(content);
    expect(undecodable).to.deep.equal([2, 4]);
    expect([lines[0], lines[2]]).to.deep.equal(['é1', 'é3']);
  });

  it('give the same content hash for a plain and a compressed file', async () => {
    const expected = createHash('sha256').update('a,b\n').digest('hex');
    await writeFile(file, 'a,b\n');
    expect(await contentHash(file)).to.equal(expected);
    await writeFile(file, gzipSync('a,b\n'));
    expect(await contentHash(file)).to.equal(expected);
  });

  it('are rejected if the file cannot be read or decompressed, or if a line is too long', async () => {
    const refusals = [
      [() => linesOf(gzipSync('a,b\n'.repeat(1000)).subarray(0, 30)), 'file_unreadable'],
      [() => contentHash(path.join(folder, 'nothing')), 'file_unreadable'],
      [() => contentHash(folder), 'file_unreadable'],
      [() => linesOf('x'.repeat(2 * 1024 * 1024)), 'import_refused'],
    ] as const;
    for (const [attempt, code] of refusals) {
      const error = await attempt().then(
        () => undefined,
        (refusal: unknown) => refusal,
      );
      expect(error).to.be.instanceOf(ImportRefused).with.property('code', code);
    }
  });
});
