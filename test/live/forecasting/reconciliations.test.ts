import { expect } from 'chai';
import { checkSeal } from '#lib/core/seal.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { clientOf, type Client } from '../../support/client.ts';
import { createCompany } from '../../support/company.ts';
import { FORECASTS, monthlyMetric } from '../../support/forecast.ts';
import { importCsv } from '../../support/import.ts';
import { onOneBackend } from '../../support/live.ts';

const RECONCILIATIONS = '/planning/reconciliations';
const HEADER = 'company_id,metric,period,value,currency';
const SEASON = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8];
const NORTH = Array.from({ length: 36 }, (_, at) => 100 + at + 5 * SEASON[at % 12]!);
const SOUTH = Array.from({ length: 36 }, (_, at) => 80 + SEASON[(at * 7) % 12]!);

onOneBackend('POST /planning/reconciliations', function (live) {
  let tenancy: Tenancy;
  let client: Client;
  /** The forecasts of the group, north and south. */
  let group: string;
  let north: string;
  let south: string;

  const forecast = async (of: Client, company: number, metric = 'revenue') => {
    const answer = await of.post(`${FORECASTS}?levels=80,95`, { metric, company_id: company, horizon: 6 });
    expect(answer.status, JSON.stringify(answer.body)).to.equal(201);
    return answer.body.uid as string;
  };

  before(async () => {
    tenancy = await buildTenancy(live());
    client = clientOf(live(), tenancy.key);
    const companies: number[] = [];
    for (let at = 0; at < 3; at += 1) companies.push(await createCompany(live(), tenancy.workspace));
    const series = [NORTH.map((value, at) => value + SOUTH[at]!), NORTH, SOUTH];
    await importCsv(live(), tenancy.workspace, 'metrics', [
      HEADER,
      ...companies.flatMap((company, at) => monthlyMetric(company, 'revenue', series[at]!)),
    ]);
    group = await forecast(client, companies[0]!);
    north = await forecast(client, companies[1]!);
    south = await forecast(client, companies[2]!);
  });

  it('201 seals forecasts of which the total is the sum of its parts, and replays them to the same bytes', async () => {
    const body = { sums: [{ total: group, parts: [north, south] }], reason: 'Group budget' };
    const answer = await client.post(RECONCILIATIONS, body);
    expect(answer.status, JSON.stringify(answer.body)).to.equal(201);
    const run = answer.body;
    expect(run.uid).to.match(/^fcr_/);
    expect(run.model).to.include({ key: 'svc_forecast_reconciliation_v1' });
    expect(checkSeal(run)).to.include({ intact: true });
    expect(run.input).to.deep.include({ method: 'mint_shrink', reason: 'Group budget', sums: body.sums });
    const [total, ...parts] = run.result.forecasts;
    expect(total.points).to.deep.equal(
      parts[0].points.map((value: number, step: number) => value + parts[1].points[step]),
    );
    const sealed = await client.get(`${FORECASTS}/${group}`);
    expect(total.base_points).to.deep.equal(sealed.body.result.points);
    expect(run.input.forecasts[0]).to.deep.include({ forecast: group, result_hash: sealed.body.result_hash });
    expect((await assay(live(), 'replay', run.uid, '--json')).json.identical).to.equal(true);
  });

  it('lists and reads the reconciliations of the workspace, and filters them by method', async () => {
    const made = await client.post(RECONCILIATIONS, {
      sums: [{ total: group, parts: [north, south] }],
      method: 'bottom_up',
    });
    const listed = await client.get(`${RECONCILIATIONS}?method=bottom_up`);
    expect(listed.body.data.map(({ uid }: { uid: string }) => uid)).to.deep.equal([made.body.uid]);
    const read = await client.get(`${RECONCILIATIONS}/${made.body.uid}`);
    expect(read.body.result).to.deep.equal(made.body.result);
  });

  const refused = async (body: object, of = client) => (await of.post(RECONCILIATIONS, body)).body;

  it('422 names every forecast of the sums that does not exist or belongs to another workspace', async () => {
    const neighbour = await buildTenancy(live());
    const problem = await refused(
      { sums: [{ total: group, parts: [north, south] }] },
      clientOf(live(), neighbour.key),
    );
    expect(problem).to.include({ status: 422, code: 'unknown_forecast' });
    expect(problem.errors.map(({ pointer }: { pointer: string }) => pointer)).to.deep.equal([
      '/sums/0/total',
      '/sums/0/parts/0',
      '/sums/0/parts/1',
    ]);
  });

  it('422 refuses a total whose history is not the sum of its parts', async () => {
    const problem = await refused({ sums: [{ total: group, parts: [north] }] });
    expect(problem).to.include({ status: 422, code: 'parts_do_not_add_up' });
    expect(problem.errors[0]).to.include({ pointer: '/sums/0', in: 'body' });
    expect(problem.detail).to.match(/^In 2022-12, the total of sum 1 is /);
  });

  it('422 refuses sums in a circle, contradicting sums, repeated parts and unknown members, at the fault', async () => {
    const cases: [object, string, string][] = [
      [{ sums: [{ total: group, parts: [group, north] }] }, '/sums/0', 'circle'],
      [
        {
          sums: [
            { total: group, parts: [north, south] },
            { total: north, parts: [group] },
          ],
        },
        '/sums/0',
        'circle',
      ],
      [
        {
          sums: [
            { total: group, parts: [north, south] },
            { total: group, parts: [north] },
          ],
        },
        '/sums/1',
        'contradiction',
      ],
      [{ sums: [{ total: group, parts: [north, north] }] }, '/sums/0/parts', 'unique_items'],
      [{ sums: [] }, '/sums', 'min_items'],
      [{ sums: [{ total: 'x', parts: [north] }] }, '/sums/0/total', 'pattern'],
      [{ sums: [{ total: group, parts: [north] }], method: 'magic' }, '/method', 'enum'],
      [{ sums: [{ total: group, parts: [north] }], weights: 1 }, '/weights', 'unknown_field'],
      [{}, '/sums', 'required'],
    ];
    for (const [body, pointer, code] of cases) {
      const problem = await refused(body);
      expect(problem, JSON.stringify(problem)).to.include({ code: 'validation_failed' });
      expect(problem.errors[0], JSON.stringify(problem)).to.include({ pointer, code });
    }
  });

  it('403 refuses an application without the scope of forecasts', async () => {
    const reader = await buildTenancy(live(), { scopes: ['planning:read'] });
    const problem = await refused({ sums: [{ total: group, parts: [north] }] }, clientOf(live(), reader.key));
    expect(problem).to.include({ status: 403, required_scope: 'planning:forecast:create' });
  });
});
