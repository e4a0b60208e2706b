import type { Readers, StoredRun } from '#lib/qlms/facts/readers.ts';
import type { Shock } from '#lib/qlms/language/query.ts';
import type { Fixture, RunOfFixture } from './fixture.ts';
import { rowsOf, sample } from './market.ts';

type RunReaders = Pick<
  Readers,
  'runs' | 'runValue' | 'runKeys' | 'regimes' | 'conditionalMean' | 'modelFactors'
>;

const KINDS: Readonly<Record<string, string>> = {
  'POST /investment/theme-watch/factors': 'investment.theme-factors',
  'POST /generative/scenarios': 'generative.scenarios',
  'POST /planning/forecasts': 'planning.forecasts',
};
const FACTORS = ['AAPL', 'BAC', 'CVX', 'GE', 'JNJ', 'JPM', 'KO', 'MSFT', 'WMT', 'XOM'];

/**
 * Readers of sealed runs. They know which runs a fixture has, with their requests and periods, but not the results:
 * a value of a result is 0, and only the pointer of its fact can be compared.
 */
export function runReaders(fixture: Fixture): RunReaders {
  const runs = fixture.runs.map((each, order) => storedRun(each, order));
  const themes = [...new Set(rowsOf(sample('taxonomy.csv')).map(({ theme }) => theme!))].sort();
  const periodsOf = (label: string): string[] => {
    const run = fixture.runs.find(({ ref }) => ref === label)!;
    return run.body.metric === 'revenue'
      ? months('2026-10', Number(run.body.horizon))
      : quarters(2025, Number(run.body.horizon));
  };
  return {
    runs: async (kind) => runs.filter((run) => run.kind === kind),
    runValue: async (label, pointer) => {
      const [, index] = /^\/result\/periods\/(\d+)$/.exec(pointer) ?? [];
      if (index !== undefined) return periodsOf(label)[Number(index)];
      if (pointer === '/result/currency')
        return fixture.runs.find(({ ref }) => ref === label)!.body.metric === 'revenue' ? 'EUR' : undefined;
      return /hash$|version$/.test(pointer) ? 'not computed' : 0;
    },
    runKeys: async (label, pointer, name) => {
      if (pointer === '/result/periods') return periodsOf(label);
      if (pointer === '/result/intervals') return ['80', '95'];
      if (pointer === '/result/symbols') return [];
      return name === 'factor' ? FACTORS : themes;
    },
    regimes: async () => ({ month: '2022-12', probabilities: [0, 0] }),
    conditionalMean: async () => 0,
    modelFactors: async () => FACTORS,
  };
}

function storedRun({ ref, operation, body }: RunOfFixture, order: number): StoredRun {
  return {
    label: ref,
    kind: KINDS[operation]!,
    order,
    ...(typeof body.as_of_date === 'string' ? { asOf: body.as_of_date } : {}),
    ...(typeof body.regime === 'string' ? { regime: body.regime } : {}),
    ...(typeof body.seed === 'number' ? { seed: String(body.seed) } : {}),
    ...(Array.isArray(body.stress)
      ? {
          shocks: (body.stress as { factor: string; shock: number; unit: string }[]).map(
            ({ factor, shock, unit }): Shock => ({ factor, unit, value: shock }),
          ),
        }
      : {}),
    ...(typeof body.metric === 'string' ? { metric: body.metric } : {}),
    ...(body.company_id === undefined ? {} : { subject: String(body.company_id) }),
  };
}

function quarters(year: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${year + Math.floor(index / 4)}-Q${(index % 4) + 1}`);
}

function months(first: string, count: number): string[] {
  const start = Number(first.slice(0, 4)) * 12 + Number(first.slice(5, 7)) - 1;
  return Array.from(
    { length: count },
    (_, index) =>
      `${Math.floor((start + index) / 12)}-${String(((start + index) % 12) + 1).padStart(2, '0')}`,
  );
}
