import { expect } from 'chai';
import { readPageRows, type PageSource } from '#api/http/page-rows.ts';

type Row = { uid: string; text: string };

const rowsOf = (count: number, size: number): Row[] =>
  Array.from({ length: count }, (_, at) => ({ uid: String(at).padStart(4, '0'), text: 'x'.repeat(size) }));

/**
 * Returns a function that reads pages of these rows. Also returns the row limits of the queries that the function has
 * made.
 */
function listOf(all: readonly Row[]) {
  const requested: number[] = [];
  const page = (further: Partial<PageSource<Row, Row>> = {}) =>
    readPageRows<Row, Row>({
      rows: async ({ after, limit }) => {
        requested.push(limit);
        return all.filter(({ uid }) => after === undefined || uid > after).slice(0, limit);
      },
      present: (row) => row,
      position: ({ uid }) => uid,
      after: undefined,
      limit: 50,
      firstRows: 8,
      signal: undefined,
      ...further,
    });
  return { page, requested };
}

async function wholeList(all: readonly Row[], further: Partial<PageSource<Row, Row>>): Promise<Row[][]> {
  const { page } = listOf(all);
  const pages: Row[][] = [];
  for (let after: string | undefined; ;) {
    const { items, next } = await page({ ...further, after });
    pages.push(items);
    if (next === null) return pages;
    after = next;
  }
}

describe('the rows of a page', () => {
  it('have the requested number per page, without gaps or repetitions', async () => {
    for (const count of [0, 1, 7, 8, 49, 50, 51, 100, 123]) {
      const all = rowsOf(count, 10);
      const pages = await wholeList(all, {});
      expect(pages.flat(), `${count} rows`).to.deep.equal(all);
      expect(pages.slice(0, -1).every(({ length }) => length === 50)).to.equal(true);
    }
  });

  it('end at the byte limit of the page, and the next page begins with the next row', async () => {
    const all = rowsOf(40, 1_000);
    const pages = await wholeList(all, { bytesMax: 10_000 });
    expect(pages.flat()).to.deep.equal(all);
    for (const items of pages) expect(JSON.stringify(items).length).to.be.at.most(10_100);
    expect(pages.length).to.be.within(4, 5);
  });

  it('are read with little excess over the number of rows that fit into the page', async () => {
    const { page, requested } = listOf(rowsOf(200, 1_000));
    await page({ bytesMax: 20_000, limit: 200 });
    expect(requested.reduce((sum, limit) => sum + limit)).to.be.at.most(25);
  });

  it('are a single row if one row exceeds the byte limit of the page', async () => {
    const pages = await wholeList(rowsOf(3, 50_000), { bytesMax: 10_000 });
    expect(pages.map(({ length }) => length)).to.deep.equal([1, 1, 1]);
  });

  it('are no longer read after the client has disconnected', async () => {
    const gone = new AbortController();
    const { page, requested } = listOf(rowsOf(50, 400_000));
    const reading = page({ signal: gone.signal, bytesMax: 1e9 });
    gone.abort(new Error('gone'));
    expect(await reading.catch(({ message }) => message)).to.equal('gone');
    expect(requested.length).to.equal(1);
  });
});
