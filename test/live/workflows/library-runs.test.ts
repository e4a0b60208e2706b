import { expect } from 'chai';
import { presentReport } from '#api/cli/workflows/workflow-present.ts';
import { checkSeal } from '#lib/core/seal.ts';
import { approveStep } from '#lib/workflows/approve-step.command.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { createCell } from '../../support/benchmark.ts';
import { doneAs } from '../../support/command.ts';
import { clientOf } from '../../support/client.ts';
import { dailyLines, weekdays } from '../../support/daily-prices.ts';
import { importEconomics } from '../../support/forecast.ts';
import { importCsv } from '../../support/import.ts';
import { importPortfolioRows } from '../../support/imported-portfolio.ts';
import { importLedger } from '../../support/ledger.ts';
import { onOneBackend } from '../../support/live.ts';
import { createException } from '../../support/order-batch.ts';
import { policyInForce } from '../../support/policy-record.ts';
import { eventually } from '../../support/runs.ts';
import { readWorkflowRun, workflowPolicy } from '../../support/workflow.ts';
import { publishInstalled, startInstalled } from '../../support/workflow-library.ts';

const SYMBOLS = ['AAPL', 'BAC', 'CVX', 'GE', 'JNJ', 'JPM', 'KO', 'MSFT', 'WMT', 'XOM'];
const days = weekdays('2017-01-02', 900);
const asOf = days.at(-1)!;
/** The first two symbols fall, the others rise. */
const paths = SYMBOLS.map((symbol, at) => ({
  symbol,
  start: 100 + at,
  drift: at < 2 ? -0.0003 : 0.0002 * at,
  swing: 0.008 + 0.002 * at,
}));

/** A shipped workflow, the parameters of its installation, and what its report must show. */
type Example = {
  key: string;
  parameters: Record<string, unknown>;
  /** The steps at which a person decides, given the figures of the report. */
  asks?(figures: Record<string, any>): string[];
  shows(figures: Record<string, any>, client: ReturnType<typeof clientOf>): unknown;
};

const examples: Example[] = [
  {
    key: 'daily-data-quality',
    parameters: { dataset: 'prices', age_days_max: 36_500, rows_min: 1_000_000 },
    asks: () => ['quality_gate'],
    shows: ({ failed, checks }) => {
      expect(failed).to.equal(1);
      expect(checks.filter(({ passed }: any) => !passed)).to.have.lengthOf(1);
    },
  },
  {
    key: 'exception-ageing-digest',
    parameters: {},
    shows: ({ open, by_kind, by_age }) => {
      expect(open).to.be.at.least(1);
      for (const counts of [by_kind, by_age])
        expect(counts.reduce((sum: number, { count }: any) => sum + count, 0)).to.equal(open);
    },
  },
  {
    key: 'rebalancing-proposal',
    parameters: { portfolio: 'main', as_of: asOf },
    asks: () => ['sign_off'],
    shows: async ({ trades, turnover, result_hash, currency }, client) => {
      expect([currency, trades.length > 0, turnover > 0]).to.deep.equal(['USD', true, true]);
      const { body } = await client.get('/investment/constructions?limit=1');
      expect(body.data[0].result_hash).to.equal(result_hash);
    },
  },
  {
    key: 'tax-loss-review',
    parameters: { portfolio: 'main', as_of: asOf, minimum_loss_minor: 100 },
    asks: () => ['review'],
    shows: ({ sales, saving_minor, net_minor }) => {
      expect(sales.map(({ symbol }: any) => symbol))
        .to.include('AAPL')
        .and.not.include('XOM');
      expect(saving_minor).to.be.above(0);
      expect(net_minor).to.be.above(0).and.at.most(saving_minor);
    },
  },
  {
    key: 'portfolio-benchmark',
    parameters: { portfolio: 'main', as_of: asOf, benchmark: 'JNJ' },
    shows: ({ relative, volatility, as_of }) => {
      expect([as_of, volatility > 0]).to.deep.equal([asOf, true]);
      expect(relative.beta).to.be.a('number');
    },
  },
  {
    key: 'backtest-nightly',
    parameters: { from: '2018-04-30', to: asOf },
    asks: ({ reading }) => (reading === 'holds' ? [] : ['evidence_gate']),
    shows: ({ last_date, sharpe, reading }) => {
      expect(last_date <= asOf && last_date > '2020-01-01').to.equal(true);
      expect([typeof sharpe, typeof reading]).to.deep.equal(['number', 'string']);
    },
  },
  {
    key: 'tournament-refresh',
    parameters: { horizon: 1 },
    shows: ({ leaderboard, leaders }) => {
      expect(leaderboard.length).to.be.at.least(3);
      expect(leaders.length).to.be.at.least(1);
    },
  },
  {
    key: 'benchmark-report',
    parameters: { period: '2001-01', cohort: 'all' },
    shows: async ({ period, comparisons, contributing }, client) => {
      expect([period, contributing]).to.deep.equal(['2001-01', 0]);
      const { body } = await client.get('/benchmarking/comparisons?period=2001-01&cohort=all');
      expect(comparisons).to.deep.equal(body.data);
      expect(comparisons.length).to.be.at.least(1);
    },
  },
  {
    key: 'weekly-ledger-close',
    parameters: { as_of: '2023-12-31', metric: 'ledger.net_cash_flow.EUR', horizon: 2 },
    shows: ({ points, by_currency, as_of }) => {
      expect([as_of, points.length, by_currency[0].currency]).to.deep.equal(['2023-12-31', 2, 'EUR']);
    },
  },
];

onOneBackend('Each workflow of the library', function (live) {
  let tenancy: Tenancy;
  let second: string;

  before(async () => {
    tenancy = await buildTenancy(live());
    second = (await buildTenancy(live(), { workspace: tenancy.workspace })).person;
    await policyInForce(live(), tenancy, { body: workflowPolicy('allow') });
    await importCsv(live(), tenancy.workspace, 'prices', dailyLines(paths, days));
    await importEconomics(live(), tenancy.workspace);
    await createException(live(), tenancy);
    await createCell(live(), 'all');
    await importPortfolioRows(live(), tenancy, 'portfolios', [
      'main,Main,USD,taxable,fifo,,household,2017-01-02',
    ]);
    await importPortfolioRows(live(), tenancy, 'events', [
      'main,R-0,deposit,2017-01-02,,,,100000,,,,,,',
      ...SYMBOLS.map((symbol, at) => `main,R-${at + 1},buy,2017-01-0${3 + (at % 3)},${symbol},50,100,,,,,,,`),
    ]);
    const months = Array.from({ length: 36 }, (_, at) => {
      const day = `${2021 + Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')}-15`;
      return `${day},${day},credit,EUR,${100 + at},main,,Sale,sales,posted,flow-${at},`;
    });
    await importLedger(live(), tenancy, months);
  });

  for (const { key, parameters, asks = () => [], shows } of examples) {
    it(`runs to its end from an installation with only the scopes that it requires: ${key}`, async () => {
      const owner = clientOf(live(), tenancy.key);
      const installed = await owner.post(`/workflows/library/${key}/install`, { parameters });
      expect(installed.status, JSON.stringify(installed.body)).to.equal(201);
      await publishInstalled(live(), tenancy, second, installed.body.uid);
      const item = (await owner.get(`/workflows/library?q=${key}`)).body.data[0];
      const { workspace } = tenancy;
      const { application } = await buildTenancy(live(), { workspace, scopes: item.required_scopes });
      const uid = await startInstalled(live(), tenancy, { key, application });
      const asked: string[] = [];
      const waits = async () => {
        let isWaiting = false;
        await eventually(async () => {
          const { run, steps } = await readWorkflowRun(live(), tenancy, uid);
          if (run.state === 'failed') throw new Error(JSON.stringify({ run, steps }));
          isWaiting = steps.some(({ state }) => state === 'waiting_approval');
          return isWaiting || run.state === 'succeeded';
        });
        return isWaiting;
      };
      while (await waits()) {
        const approval = await doneAs(live(), second, approveStep, { run: uid, reason: 'looked at' });
        asked.push(...approval.result);
      }
      const report = presentReport(await readWorkflowRun(live(), tenancy, uid)) as any;
      expect(checkSeal(report)).to.deep.include({ intact: true });
      expect(report.parameters).to.deep.include(parameters);
      expect(asked).to.deep.equal(asks(report.figures));
      await shows(report.figures, owner);
      const { body } = await owner.get(`/workflows/runs?installation_uid=${installed.body.uid}`);
      expect(body.data.map((each: any) => each.uid)).to.deep.equal([uid]);
    });
  }
});
