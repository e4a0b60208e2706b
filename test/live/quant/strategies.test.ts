import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Strategy } from '#lib/quant/strategies/strategy.schema.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { clientOf } from '../../support/client.ts';
import { weekdays } from '../../support/daily-prices.ts';
import { importCsv, importSample } from '../../support/import.ts';
import { onOneBackend } from '../../support/live.ts';

const days = weekdays('2019-01-01', 100);
const examples = new URL('../../../lib/quant/strategies/examples/', import.meta.url);

onOneBackend('POST /quant/compute/strategies/check', (live) => {
  let tenancy: Tenancy;

  before(async () => {
    tenancy = await buildTenancy(live());
    // UPP rises by 1 a day, FLT stays at 50, and DWN falls by 0.5 a day.
    const rows = days.flatMap((day, t) => [
      `UPP,${day},${100 + t},${100 + t},1000`,
      `FLT,${day},50,50,1000`,
      `DWN,${day},${100 - t / 2},${100 - t / 2},1000`,
    ]);
    await importCsv(live(), tenancy.workspace, 'prices', ['symbol,date,close,adj_close,volume', ...rows]);
    await importCsv(live(), tenancy.workspace, 'instruments', [
      'symbol,name,sector,currency,published_at',
      `UPP,Up,Energy,USD,${days[0]}`,
      `FLT,Flat,Energy,USD,${days[0]}`,
      `DWN,Down,Energy,USD,${days[0]}`,
      `DWN,Down,Utilities,USD,${days[50]}`,
    ]);
  });

  const check = async (body: Record<string, unknown>, key = tenancy.key) => {
    const answer = await clientOf(live(), key).post('/quant/compute/strategies/check', body);
    return { ...answer, body: answer.body as Record<string, any> };
  };
  const strategy: Strategy = {
    universe: { kind: 'list', symbols: ['UPP', 'FLT', 'DWN'] },
    signals: { momentum: { expression: 'return(adj_close, $lookback)' } },
    select: { by: 'momentum', top: 2, where: 'momentum >= 0' },
    weight: { scheme: 'rank' },
    cash: { initial_minor: 1_000_000 },
    parameters: { lookback: 10 },
  };

  it('200 explains the decision of the last session on or before the date', async () => {
    const { status, body } = await check({ strategy, date: days[20] });
    expect(status, JSON.stringify(body)).to.equal(200);
    const { decision } = body;
    expect(decision.date).to.equal(days[20]);
    const rows = decision.symbols.map((row: any) => [
      row.symbol,
      row.price,
      row.rank,
      row.weight,
      row.reason,
    ]);
    expect(rows).to.deep.equal([
      ['DWN', 90, null, 0, 'select_where_false'],
      ['FLT', 50, 2, 1 / 3, null],
      ['UPP', 120, 1, 2 / 3, null],
    ]);
    expect(decision.symbols[2].signals.momentum).to.be.closeTo(120 / 110 - 1, 1e-12);
    expect(decision.trades.map((row: any) => [row.symbol, row.side, row.amount_minor])).to.deep.equal([
      ['FLT', 'buy', 333_333],
      ['UPP', 'buy', 666_667],
    ]);
    expect(body['strategy'].schedule).to.deep.equal({ every: 'month', n: 21, on: 'last', lag: 1, band: 0 });
    expect(body['data']).to.include({ warmup_sessions: 21, prices: 'total_return', symbols_with_prices: 3 });
    expect(body['warnings'].map(({ code }: { code: string }) => code)).to.include('survivorship');
  });

  it('200 returns the same family for other parameter values and other numbers', async () => {
    const one = await check({ strategy });
    const other = await check({ strategy, parameters: { lookback: 5 } });
    expect([other.status, other.body['parameters']]).to.deep.equal([200, { lookback: 5 }]);
    expect(other.body['family']).to.equal(one.body['family']);
    const third = await check({ strategy: { ...strategy, weight: { scheme: 'equal' } } });
    expect(third.body['family']).to.not.equal(one.body['family']);
  });

  it('200 uses only sectors that were known in the session', async () => {
    const sector = { ...strategy, universe: { kind: 'sector', name: 'Energy' } };
    const reasonAt = async (date: string) => {
      const { body } = await check({ strategy: sector, date });
      return body['decision'].symbols.find((row: any) => row.symbol === 'DWN').reason;
    };
    expect(await reasonAt(days[49]!)).to.equal('select_where_false');
    expect(await reasonAt(days[50]!)).to.equal('not_published');
  });

  it('422 with a pointer to each fault', async () => {
    const faulty = {
      ...strategy,
      select: { by: 'value', top: { $: 'n' } },
      weight: { scheme: 'equal', by: 'x' },
    };
    const { status, body } = await check({ strategy: faulty, parameters: { other: 1 } });
    expect([status, body['code']]).to.deep.equal([422, 'validation_failed']);
    expect(body['errors'].map((each: any) => [each.pointer, each.code])).to.deep.equal([
      ['/strategy/select/top', 'unbound_parameter'],
      ['/parameters/other', 'unknown_parameter'],
    ]);
    const rank = await check({ strategy: { ...strategy, select: { by: 'value' } } });
    expect(rank.body['errors'].map((each: any) => [each.pointer, each.code])).to.deep.equal([
      ['/strategy/select/by', 'unknown_signal'],
    ]);
    const feature = { ...strategy, signals: { momentum: { feature: 'none', version: 1 } }, parameters: {} };
    const unknown = await check({ strategy: feature });
    expect(unknown.body['errors'].map((each: any) => [each.pointer, each.code])).to.deep.equal([
      ['/strategy/signals/momentum/feature', 'unknown_feature'],
    ]);
    const series = await check({ strategy: { ...strategy, cash: { rate: 'NONE' } } });
    expect(series.body['errors'].map((each: any) => [each.pointer, each.code])).to.deep.equal([
      ['/strategy/cash/rate', 'unknown_series'],
    ]);
    const future = await check({ strategy, as_of: '2999-01-01' });
    expect(future.body['errors'][0]).to.include({ pointer: '/as_of', code: 'in_future' });
  });

  it('422 for orders that precede their decision, an empty universe, and mixed currencies', async () => {
    const same = await check({ strategy: { ...strategy, schedule: { lag: 0 } } });
    expect([same.status, same.body['code']]).to.deep.equal([422, 'look_ahead']);
    const open = { ...strategy, schedule: { lag: 0 }, execution: { same_bar: true, price: 'open' } };
    expect((await check({ strategy: open })).body['code']).to.equal('look_ahead');
    const where = { ...strategy, universe: { ...strategy.universe, where: 'close > 1000' } };
    const empty = await check({ strategy: where, date: days[20] });
    expect([empty.status, empty.body['code'], empty.body['first_date']]).to.deep.equal([
      422,
      'universe_empty',
      null,
    ]);
    const euro = await check({ strategy: { ...strategy, cash: { currency: 'EUR' } }, date: days[20] });
    expect([euro.status, euro.body['code'], euro.body['currencies']]).to.deep.equal([
      422,
      'currencies_mixed',
      ['EUR', 'USD'],
    ]);
  });

  it('503 without prices before the date, and for the prices of another workspace', async () => {
    const early = await check({ strategy, date: '2018-12-31' });
    expect([early.status, early.body['code']]).to.deep.equal([503, 'market_history_insufficient']);
    const stranger = await buildTenancy(live());
    expect((await check({ strategy, date: days[20] }, stranger.key)).status).to.equal(503);
  });

  it('200 for each example strategy on the sample data', async () => {
    const own = await buildTenancy(live());
    await importSample(live(), own.workspace);
    for (const name of readdirSync(examples)) {
      const example = JSON.parse(readFileSync(new URL(name, examples), 'utf8')) as Strategy;
      const { status, body } = await check({ strategy: example, date: '2020-09-30' }, own.key);
      expect(status, `${name} ${JSON.stringify(body)}`).to.equal(200);
      expect(body['decision'].gross, name).to.be.above(0.1);
      expect(body['decision'].gross, name).to.be.at.most(1 + 1e-9);
    }
  });
});
