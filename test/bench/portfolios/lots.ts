import { addDays } from '#lib/core/date.ts';
import { deriveLots, type Lots } from '#lib/investment/portfolios/lots.ts';
import type { PortfolioEvent } from '#lib/investment/portfolios/portfolio-event.ts';
import { proposeHarvest } from '#lib/investment/tax/harvest.ts';
import { washPurchases } from '#lib/investment/tax/wash-purchases.ts';
import type { BenchContext, Row } from '../bench.ts';
import { processorMs } from '../processor-time.ts';
import { compare, interleave } from '../rounds.ts';
import { madeLedger, madePortfolios } from './ledger.ts';

const AS_OF = '2021-11-05';
const LOTS_MS_MAX = 2_000;
const HARVEST_MS_MAX = 300;

const cases = {
  full: {
    rounds: 5,
    ledgers: [
      { events: 1_000_000, portfolios: 20, symbols: 5_000, msMax: LOTS_MS_MAX },
      { events: 1_000_000, portfolios: 5, symbols: 500, msMax: null },
      { events: 100_000, portfolios: 5, symbols: 500, msMax: null },
    ],
    harvest: { lots: 10_000, symbols: 500, msMax: HARVEST_MS_MAX },
  },
  tiny: {
    rounds: 1,
    ledgers: [{ events: 1_000, portfolios: 2, symbols: 5, msMax: null }],
    harvest: { lots: 100, symbols: 5, msMax: null },
  },
};

/**
 * Measures the processor time of deriving lots from events, compared with one pass that adds the shares of each symbol.
 * Also measures a harvest proposal over many lots. The first round includes compiling the code.
 */
export async function lotRows(bench: string, { size, notify }: BenchContext): Promise<Row[]> {
  const { rounds, ledgers, harvest } = cases[size];
  const rows: Row[] = [];
  for (const { events: count, portfolios: many, symbols, msMax } of ledgers) {
    const portfolios = madePortfolios(many);
    const events = madeLedger(count, { portfolios, symbols });
    let found: Lots | undefined;
    const label = `lots of ${count.toLocaleString('en')} events, ${symbols} symbols, ${many} portfolios`;
    notify(label);
    const figures = await interleave(rounds, {
      subject: async () =>
        processorMs(() => {
          found = deriveLots({ events, splits: [], portfolios, asOf: AS_OF });
          if (found.faults.length > 0) throw new Error(found.faults[0]!.code);
        }),
      peer: async () => processorMs(() => void sharesOf(events)),
    });
    const { length } = found!.disposals;
    const note = `${found!.lots.length} open lots, ${length} disposals; peer: one pass adding shares by symbol`;
    rows.push(rowOf({ bench, case: label, note }, figures, msMax));
  }
  rows.push(await harvestRow(bench, { ...harvest, rounds, notify }));
  return rows;
}

async function harvestRow(
  bench: string,
  { lots: count, symbols, msMax, rounds, notify }: HarvestCase,
): Promise<Row> {
  const portfolios = madePortfolios(1);
  const bought = madeLedger(2 * count, { portfolios, symbols }).filter(({ type }) => type === 'buy');
  const events = bought.slice(-count);
  const label = `harvest over ${events.length.toLocaleString('en')} lots`;
  notify(label);
  const lots = [...deriveLots({ events, splits: [], portfolios, asOf: AS_OF }).lots];
  const purchases = washPurchases({ lots, portfolios, washGroup: 'owner', asOf: AS_OF, days: 30 });
  const prices = new Map(lots.map(({ symbol }) => [symbol, { price: '60.25', on: addDays(AS_OF, -1) }]));
  const none = { shortMinor: 0n, longMinor: 0n };
  const figures = await interleave(rounds, {
    subject: async () =>
      processorMs(() => {
        const outcome = proposeHarvest({
          asOf: AS_OF,
          terms: portfolios[0]!,
          lots,
          prices,
          purchases,
          rates: { shortBps: 3700, longBps: 2000, ordinaryBps: 3700 },
          realised: { shortMinor: 10n ** 12n, longMinor: 0n },
          carriedIn: none,
          policy: 'avoid',
          minimumLossMinor: 0n,
          minimumLossBps: 0,
          minimumNetMinor: 1n,
          costBps: 10,
          identical: [],
          horizon: 'year_end',
        });
        if (!outcome.ok) throw new Error(outcome.refusal.code);
      }),
    peer: async () => processorMs(() => void lots.reduce((sum, { basisMinor }) => sum + basisMinor, 0n)),
  });
  return {
    ...rowOf({ bench, case: label, note: 'no peer' }, figures, msMax),
    peer: null,
    ratio: null,
    spread: null,
  };
}

type HarvestCase = {
  lots: number;
  symbols: number;
  msMax: number | null;
  rounds: number;
  notify: BenchContext['notify'];
};

function rowOf(
  about: Pick<Row, 'bench' | 'case' | 'note'>,
  figures: { subject: number[]; peer: number[] },
  msMax: number | null,
): Row {
  const compared = compare(figures.subject, figures.peer);
  const target = msMax === null ? null : `<= ${msMax} ms`;
  const met = msMax === null ? null : compared.figure! <= msMax;
  return { ...about, ...compared, unit: 'ms', target, met };
}

/** Returns the shares of each symbol and portfolio. No implementation can do less than this pass. */
function sharesOf(events: readonly PortfolioEvent[]): Map<string, bigint> {
  const shares = new Map<string, bigint>();
  for (const { portfolio, symbol, type, quantity } of events) {
    const key = `${portfolio} ${symbol}`;
    shares.set(key, (shares.get(key) ?? 0n) + (type === 'buy' ? quantity! : -quantity!));
  }
  return shares;
}
