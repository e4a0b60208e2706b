import { expect } from 'chai';
import { inTenant } from '#lib/database/orm.ts';
import { metricSeriesAsOf, type MetricQuestion } from '#lib/data/metric-values.query.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { createCompany } from '../../support/company.ts';
import { importCsv } from '../../support/import.ts';
import { withFile } from '../../support/ledger.ts';
import { onOneBackend } from '../../support/live.ts';

onOneBackend('Metrics of companies', function (live) {
  let tenancy: Tenancy;
  let company: number;

  const command = (...words: string[]) => assay(live(), ...words, '--workspace', tenancy.workspace, '--json');
  beforeEach(async () => {
    tenancy = await buildTenancy(live());
    company = await createCompany(live(), tenancy.workspace, 'Acme');
  });

  const bring = (...rows: string[]) =>
    importCsv(live(), tenancy.workspace, 'metrics', [
      'company_id,metric,period,value,currency,known_at',
      ...rows,
    ]);
  const refusalOf = async (...rows: string[]): Promise<string[]> => {
    const error = await bring(...rows).then(
      () => expect.fail('it was imported'),
      (caught: { errors: { line: number; column: string; reason: string }[] }) => caught,
    );
    return error.errors.map(({ line, column, reason }) => `${line} ${column} ${reason}`);
  };
  const series = async (
    question: Partial<MetricQuestion> = {},
    { workspace }: Pick<Tenancy, 'workspace'> = tenancy,
  ) => {
    const found = await inTenant(live().orm('api'), { workspace, environment: 'sandbox' }, (em) =>
      metricSeriesAsOf(em, { company, metric: 'revenue', asOf: undefined, ...question }),
    );
    return Object.fromEntries(
      found.map(({ frequency, observations }) => [
        frequency,
        observations.map(({ period, value, currency }) => [period, value, currency].join(' ')),
      ]),
    );
  };

  it('are imported by period on the command line and read as known at any time', async () => {
    await withFile(
      [
        'company_id,metric,period,value,currency,known_at',
        `${company},revenue,2024,400.5,EUR,2025-02-01`,
        `${company},revenue,2024-Q4,110,EUR,2025-01-20`,
        `${company},revenue,2024-12,40,EUR,2025-01-10`,
        `${company},revenue,2024-12,41,EUR,2025-01-15`,
        `${company},net_income,2024-12,-3.25,EUR,`,
        `${company},headcount,2024-W52,12,,`,
      ],
      async (file) => {
        const { json, stderr } = await command('import', 'metrics', file);
        expect(stderr).to.equal('');
        expect(json.rows).to.deep.equal({ read: 6, inserted: 5, corrected: 1, unchanged: 0, rejected: 0 });
        expect((await command('import', 'metrics', file)).json.already_imported).to.equal(true);
      },
    );
    expect(await series()).to.deep.equal({
      monthly: ['2024-12 41 EUR'],
      quarterly: ['2024-Q4 110 EUR'],
      yearly: ['2024 400.5 EUR'],
    });
    expect(await series({ asOf: '2025-01-12' })).to.deep.equal({ monthly: ['2024-12 40 EUR'] });
    expect(await series({ asOf: '2025-01-09' })).to.deep.equal({});
    expect(await series({ metric: 'net_income' })).to.deep.equal({ monthly: ['2024-12 -3.25 EUR'] });
    expect(await series({ metric: 'headcount' })).to.deep.equal({ weekly: ['2024-W52 12 '] });
    const printed = await command(
      'metric',
      'series',
      'revenue',
      '--company',
      String(company),
      '--as-of',
      '2025-01-12',
    );
    expect(printed.json.data).to.deep.equal([
      {
        frequency: 'monthly',
        period: '2024-12',
        value: '40',
        currency: 'EUR',
        known_at: '2025-01-10T23:59:59.999Z',
      },
    ]);
  });

  it('must name a company, except economic series and metrics of the ledger', async () => {
    await importCsv(live(), tenancy.workspace, 'metrics', [
      'metric,period,value',
      'economics.GDP,2024-Q1,101.5',
      'ledger.net_cash_flow.EUR,2024-01,-12.50',
    ]);
    expect(await series({ company: null, metric: 'economics.GDP' })).to.deep.equal({
      quarterly: ['2024-Q1 101.5 '],
    });
    expect(await series({ company: null, metric: 'ledger.net_cash_flow.EUR' })).to.deep.equal({
      monthly: ['2024-01 -12.50 '],
    });
    const missing =
      'company_id is required, except for metrics of the form economics.<series> and ledger.<flow>.<currency>';
    expect(await refusalOf(',headcount,2024-01,1,,', ',ledger.net_cash_flow.ZZZ,2024-01,1,,')).to.deep.equal([
      `2 ${missing}`,
      `3 ${missing}`,
      '3 metric is not a valid metric name',
    ]);
    expect(await refusalOf(`${company},economics.GDP,2024-01,1,,`)).to.deep.equal([
      '2 company_id must be empty for a metric of the workspace',
    ]);
  });

  it('are rejected for unknown companies, metrics, periods and currencies', async () => {
    const foreign = await buildTenancy(live());
    const theirs = await createCompany(live(), foreign.workspace);
    expect(
      await refusalOf(
        `${company},revenue,2024-13,1,EUR,`,
        `${company},revenue,2999,1,EUR,`,
        `${company},revenue,2024-01,1e3,EUR,`,
        `${company},revenue,2024-02,1,,`,
        `${company},headcount,2024-02,1,EUR,`,
        `${company},revenue,2024-03,1,EUR,2024-03-30`,
      ),
    ).to.deep.equal([
      '2 period is not a period such as 2024, 2024-Q1, 2024-03, 2024-W05 or 2024-03-29',
      `3 period ends after today, ${new Date().toISOString().slice(0, 10)} (UTC)`,
      '4 value is not a plain decimal number such as 28.70',
      '5 currency is required, because the metric is a money amount',
      '6 currency must be empty, because the metric is not a money amount',
      '7 known_at is before the end of the period, 2024-03-31',
    ]);
    expect(await refusalOf(`${theirs},revenue,2024,1,EUR,`, `${company},footfall,2024,1,,`)).to.deep.equal([
      '2 company_id does not exist in the workspace',
      '3 metric is neither in the catalogue nor defined by the workspace',
    ]);
  });

  it('may be defined by the workspace', async () => {
    const define = (name: string) =>
      command('metric', 'define', name, '--unit', 'money', '--kind', 'flow', '--description', 'Tips.');
    expect((await define('tips')).json).to.include({ name: 'tips', unit: 'money', signed: false });
    expect((await define('tips')).stderr).to.match(/^metric_exists: /);
    expect((await define('revenue')).stderr).to.match(/^metric_exists: /);
    const { json: log } = await command('audit', 'list', '--subject', 'tips', '--environment', 'sandbox');
    expect(log.data.map(({ op }: { op: string }) => op)).to.deep.equal(['metric.defined']);
    expect(await refusalOf(`${company},tips,2024,5,,`)).to.deep.equal([
      '2 currency is required, because the metric is a money amount',
    ]);
    await bring(`${company},tips,2024,5,EUR,`);
    expect(await series({ metric: 'tips' })).to.deep.equal({ yearly: ['2024 5 EUR'] });
    const listed = (await command('metric', 'list')).json.data as { name: string; origin: string }[];
    expect(listed.filter(({ origin }) => origin === 'workspace').map(({ name }) => name)).to.deep.equal([
      'tips',
    ]);
  });

  it('are hidden from other workspaces together with their companies', async () => {
    await bring(`${company},revenue,2024,1,EUR,`);
    const foreign = await buildTenancy(live());
    expect(await series({}, foreign)).to.deep.equal({});
    const listed = await assay(live(), 'company', 'list', '--workspace', foreign.workspace, '--json');
    expect(listed.json.data).to.deep.equal([]);
    const { json } = await command('company', 'create', '--name', 'Zenith');
    expect((await command('company', 'list')).json.data).to.deep.equal([{ id: company, name: 'Acme' }, json]);
    expect((await command('company', 'create', '--name', 'Acme')).stderr).to.match(/^company_exists: /);
  });
});
