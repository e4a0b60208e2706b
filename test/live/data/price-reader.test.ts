import { expect } from 'chai';
import { sql } from 'kysely';
import { readPrices, type PricesQuestion } from '#lib/data/price-reader.query.ts';
import { closeSeriesTexts, priceSeriesTexts } from '#lib/data/price-series.query.ts';
import { clockAt, useImportDatabase } from '../../support/import-database.ts';

describe('the reader of prices', () => {
  const { database, workspace } = useImportDatabase();
  const clock = clockAt('2021-03-01T10:00:00Z');
  let files = 0;

  const write = (lines: readonly string[]) => database.write(`prices-${(files += 1)}.csv`, lines);
  const load = async (frequency: 'daily' | 'monthly', rows: readonly string[], dataset = 'prices') => {
    const path = await write(['symbol,date,close,adj_close,volume', ...rows]);
    const report = await database.import({
      kind: 'prices',
      path,
      workspace: workspace(),
      dataset,
      frequency,
      clock,
    });
    return report.dataset.id;
  };
  const question = (datasets: readonly number[], more: Partial<PricesQuestion> = {}) => ({
    symbols: ['A', 'B', 'C'],
    frequency: 'monthly' as const,
    from: '2020-01-01',
    until: '2020-12-31',
    asOf: '2021-12-31',
    revisions: Object.fromEntries(datasets.map((id) => [id, 9])),
    ...more,
  });
  const read = async (asked: PricesQuestion, member: 'return' | 'volume' = 'return') => {
    const found = await database.operate((em) => priceSeriesTexts(em, { ...asked, member }));
    return Object.fromEntries(found.map(({ symbol, observations }) => [symbol, observations]));
  };

  it('takes a monthly series before a daily one, even if the monthly one has no price in the window', async () => {
    await load('monthly', ['A,2019-05-31,1,,']);
    const id = await load('daily', [
      'A,2020-01-30,2,,',
      'B,2020-01-30,3,,',
      'B,2020-01-31,4,,',
      'B,2020-02-03,5,,',
    ]);
    expect(await read(question([id]))).to.deep.equal({ B: '2020-01-31 4,2020-02-03 5' });
    expect(await read(question([id], { frequency: 'daily' }))).to.deep.equal({
      A: '2020-01-30 2',
      B: '2020-01-30 3,2020-01-31 4,2020-02-03 5',
    });
  });

  it('takes the earlier dataset for each symbol that has any price in it', async () => {
    const first = await load('monthly', ['A,2020-01-31,1,,', 'B,2019-01-31,2,,'], 'first');
    const second = await load(
      'monthly',
      ['A,2020-01-31,7,,', 'B,2020-01-31,8,,', 'C,2020-01-31,9,,'],
      'second',
    );
    expect(await read(question([first, second]))).to.deep.equal({ A: '2020-01-31 1', C: '2020-01-31 9' });
    expect(await read(question([second]))).to.deep.equal({
      A: '2020-01-31 7',
      B: '2020-01-31 8',
      C: '2020-01-31 9',
    });
  });

  it('returns the last observation of a month in which a monthly series has two', async () => {
    const id = await load('monthly', [
      'A,2020-01-30,1,,',
      'A,2020-01-31,2.50,,',
      'B,2020-01-31,3,,',
      'B,2020-02-28,4,,',
    ]);
    expect(await read(question([id]))).to.deep.equal({
      A: '2020-01-31 2.50',
      B: '2020-01-31 3,2020-02-28 4',
    });
  });

  it('leaves out a month whose last observation has no value', async () => {
    const id = await load('monthly', ['A,2020-01-30,1,,100', 'A,2020-01-31,2,,', 'A,2020-02-28,3,,300']);
    expect(await read(question([id]), 'volume')).to.deep.equal({ A: '2020-02-28 300' });
  });

  it('reads an adjusted close as imported, and the close if there is none', async () => {
    const id = await load('monthly', ['A,2020-01-31,2,1.9900,', 'A,2020-02-28,3,,']);
    expect(await read(question([id]))).to.deep.equal({ A: '2020-01-31 1.9900,2020-02-28 3' });
    const closes = await database.operate((em) => closeSeriesTexts(em, question([id])));
    expect(closes).to.deep.equal([
      { symbol: 'A', observations: '2020-01-31 2,2020-02-28 3', isSplitAdjusted: false },
    ]);
  });

  it('returns the same for any number of symbols read at once, ordered by symbol in code units', async () => {
    const symbols = ['b', 'A', 'Z', 'a'];
    const id = await load(
      'daily',
      symbols.map((symbol, at) => `${symbol},2020-01-31,${at + 1},,`),
    );
    const readBy = (atOnce: number) =>
      database.operate((em) =>
        readPrices(em, question([id], { symbols, frequency: 'daily' }), {
          columns: ['close'],
          text: sql`o.close`,
          atOnce,
          make: ({ symbol, observations, assumed }) => ({ symbol, observations, assumed }),
        }),
      );
    const all = await readBy(4);
    expect(all.map(({ symbol }) => symbol)).to.deep.equal(['A', 'Z', 'a', 'b']);
    expect(all[0]).to.deep.equal({ symbol: 'A', observations: '2020-01-31 2', assumed: 1 });
    expect(await readBy(1)).to.deep.equal(all);
    expect(await readBy(3)).to.deep.equal(all);
  });

  it('reads prices that it read lately again only if a revision or the question differs', async () => {
    const id = await load('monthly', ['A,2020-01-31,1,,']);
    const asked = question([id]);
    const readBy = (more: Partial<PricesQuestion> = {}) =>
      database.operate(async (em) => {
        let statements = 0;
        const counting = new Proxy(em, {
          get(target, name) {
            if (name === 'getKysely') statements += 1;
            const value = Reflect.get(target, name) as unknown;
            return typeof value === 'function' ? value.bind(target) : value;
          },
        });
        const found = await priceSeriesTexts(counting, { ...asked, ...more, member: 'return' });
        return { found, statements };
      });
    const first = await readBy();
    expect(first.found).to.deep.equal([{ symbol: 'A', observations: '2020-01-31 1' }]);
    expect(first.statements).to.be.above(1);
    expect(await readBy()).to.deep.equal({ found: first.found, statements: 1 });
    expect((await readBy({ from: '2020-02-01' })).found).to.deep.equal([]);
    expect((await readBy({ revisions: {} })).found, 'without a readable dataset').to.deep.equal([]);
    const asOf = { symbol: 'A', asOfDate: '2020-12-31', revisions: { [id]: 1 } };
    expect(await database.pricesAsOf(workspace(), asOf)).to.deep.equal(['2020-01-31 1']);
    const neighbour = await database.workspace();
    expect(await database.pricesAsOf(neighbour, asOf), 'in a workspace without the dataset').to.deep.equal(
      [],
    );
    await load('monthly', ['A,2020-01-31,7,,'], 'prices');
    const later = { revisions: { [id]: 1 } };
    expect((await readBy(later)).found, 'at the earlier revision').to.deep.equal(first.found);
    const corrected = [{ symbol: 'A', observations: '2020-01-31 7' }];
    expect((await readBy({ revisions: { [id]: 2 } })).found, 'at the later revision').to.deep.equal(
      corrected,
    );
    expect((await readBy()).found, 'at any later revision').to.deep.equal(corrected);
  });
});
