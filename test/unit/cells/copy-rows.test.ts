import { buffer } from 'node:stream/consumers';
import { expect } from 'chai';
import fc from 'fast-check';
import { changeRows } from '#lib/cells/copy-rows.ts';

describe('The change of copied rows', () => {
  const change = async (chunks: Buffer[], columns: string[], edit: (fields: Map<string, string>) => void) => {
    const source = (async function* () {
      yield* chunks;
    })();
    return (await buffer(changeRows(source, columns, edit))).toString();
  };

  it('changes the named field of each row and no other byte, wherever the chunks end', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.string({ unit: 'binary' }), { minLength: 3, maxLength: 3 })),
        fc.array(fc.nat(200)),
        async (rows, cuts) => {
          const clean = rows.map((row) => row.map((field) => field.replace(/[\t\n]/g, ' ')));
          const text = (lines: string[][]) => lines.map((row) => `${row.join('\t')}\n`).join('');
          const bytes = Buffer.from(text(clean));
          const ends = [...new Set([...cuts.filter((cut) => cut < bytes.length), bytes.length])].sort(
            (x, y) => x - y,
          );
          const chunks = ends.map((end, at) => bytes.subarray(at === 0 ? 0 : ends[at - 1], end));
          const changed = await change(chunks, ['one', 'two', 'three'], (fields) => {
            fields.set('two', `<${fields.get('two')!}>`);
          });
          const expected = Buffer.from(text(clean)).toString();
          const rowsOf = (given: string) => given.split('\n').map((line) => line.split('\t'));
          expect(rowsOf(changed)).to.deep.equal(
            rowsOf(expected).map((row) => (row.length === 3 ? [row[0], `<${row[1]}>`, row[2]] : row)),
          );
        },
      ),
    ));

  it('refuses a stream that ends within a row', async () => {
    const result = await change([Buffer.from('a\tb\nc')], ['one', 'two'], () => {}).catch(String);
    expect(result).to.include('incomplete');
  });

  it('refuses a row that is too large, before it has read the row to its end', async () => {
    const chunk = Buffer.alloc(32 * 1024 * 1024, 'a');
    const result = await change(Array<Buffer>(1_000).fill(chunk), ['one'], () => {}).catch(
      (error: { code: string }) => error.code,
    );
    expect(result).to.equal('export_damaged');
  });

  it('refuses a row with another number of fields', async () => {
    const result = await change([Buffer.from('a\tb\tc\n')], ['one', 'two'], () => {}).catch(String);
    expect(result).to.include('3 fields, not 2');
  });
});
