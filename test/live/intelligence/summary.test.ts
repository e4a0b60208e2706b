import { expect } from 'chai';
import { sql } from 'kysely';
import { catalog } from '#api/catalog.ts';
import { inTenant } from '#lib/database/orm.ts';
import { readSummary, sources } from '#lib/intelligence/read-summary.query.ts';
import type { Source } from '#lib/intelligence/section-source.ts';
import { scopes as allScopes } from '#lib/core/scope.ts';
import { scenariosRun } from '#lib/models/scenarios/scenarios.run.ts';
import { themeFactorsRun } from '#lib/investment/theme-factors/theme-factors.run.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { clientOf } from '../../support/client.ts';
import { importTiny } from '../../support/import.ts';
import { onOneBackend } from '../../support/live.ts';
import { createConflict } from '../../support/obligation.ts';
import { createException } from '../../support/order-batch.ts';
import { createSealedRun } from '../../support/sealed-run.ts';
import { createAdmission, createWorkflowRun } from '../../support/workflow.ts';

type Section = Record<string, any> & { metrics: Record<string, any>[]; attention: Record<string, any>[] };

onOneBackend('The intelligence summary', (live) => {
  let tenancy: Tenancy;

  before(async () => {
    tenancy = await buildTenancy(live());
    await createConflict(live(), tenancy);
    await createException(live(), tenancy);
    await createSealedRun(live(), tenancy, themeFactorsRun);
    await createSealedRun(live(), tenancy, scenariosRun);
    await importTiny(live(), tenancy.workspace);
    await createAdmission(live(), tenancy);
    await createWorkflowRun(live(), tenancy);
  });

  const read = async ({ key }: Tenancy) => {
    const { status, body } = await clientOf(live(), key).get('/intelligence/summary');
    expect(status, JSON.stringify(body)).to.equal(200);
    const of = (key: string) => body.sections.find((each: Section) => each['key'] === key) as Section;
    const figure = (key: string, metric: string) =>
      of(key).metrics.find((each) => each['key'] === metric) as Record<string, any>;
    return { body, of, figure };
  };

  it('reports figures of the stored data as of the newest record that they depend on', async () => {
    const { figure, of } = await read(tenancy);
    const obligation = (await clientOf(live(), tenancy.key).get('/actions/credit-corporate/obligations')).body
      .data[0];
    expect(figure('actions', 'obligations_disputed')).to.include({ value: 1, unit: 'count' });
    expect(figure('actions', 'obligations_disputed')['as_of']).to.equal(obligation.evidence.last_seen_at);
    expect(figure('investment', 'theme_factor_runs_sealed_30d')['value']).to.equal(1);
    expect(figure('investment', 'margin_calls_sealed_30d')).to.include({ value: 0, as_of: null });
    expect(figure('investment', 'execution_exceptions_open')['value']).to.equal(1);
    expect(figure('data', 'datasets')['value']).to.be.above(0);
    expect(figure('workflows', 'workflow_runs_open')['value']).to.equal(1);
    expect(figure('workflows', 'workflow_starts_denied_30d')['value']).to.equal(1);
    expect(of('investment')['headline'].code).to.equal('attention_needed');
  });

  it('I-142: gives no figures of a section that the scopes do not cover', async () => {
    const { workspace } = tenancy;
    const clerk = await buildTenancy(live(), { workspace, scopes: ['intelligence:read', 'actions:read'] });
    const { body, of } = await read(clerk);
    expect(of('actions')['status']).to.equal('ok');
    for (const section of body.sections.filter((each: Section) => each['key'] !== 'actions')) {
      expect(section, section.key).to.deep.include({ status: 'not_entitled', metrics: [], attention: [] });
      expect(section.text).to.equal('');
    }
  });

  it('shows no data of another workspace or of the other environment', async () => {
    const production = await buildTenancy(live(), {
      workspace: tenancy.workspace,
      environment: 'production',
    });
    for (const other of [production, await buildTenancy(live())]) {
      const { body } = await read(other);
      for (const { key, metrics } of body.sections.filter((each: Section) => each['key'] !== 'data')) {
        for (const metric of metrics) expect([0, null], `${key} ${metric.key}`).to.include(metric.value);
      }
    }
  });

  it('can be read in full by the worker that requests its wording', async () => {
    const { sections } = await inTenant(live().orm('worker'), tenancy, (em) =>
      readSummary(em, { scopes: new Set(allScopes), now: new Date() }),
    );
    expect(sections.filter(({ status }) => status === 'unavailable')).to.deep.equal([]);
  });

  it('reports the other sections if one section fails or takes too long', async () => {
    const broken = (statement: string): Source => ({
      key: 'quant',
      scope: 'quant:research:read',
      staleAfterHours: null,
      async read(em) {
        await sql.raw(statement).execute(em.getKysely());
        return { metrics: [], attention: [] };
      },
    });
    const statuses = await inTenant(
      live().orm('api'),
      tenancy,
      async (em) => {
        const { sections } = await readSummary(em, {
          scopes: new Set(allScopes),
          now: new Date(),
          sources: [sources[0]!, broken('select 1 / 0'), broken('select pg_sleep(60)'), sources[1]!],
        });
        return sections.map(({ status, metrics }) => [status, metrics.length > 0]);
      },
      { isReadOnly: true },
    );
    expect(statuses).to.deep.equal([
      ['ok', true],
      ['unavailable', false],
      ['unavailable', false],
      ['ok', true],
    ]);
  });

  it('links to existing lists of the API, with their parameters', async () => {
    for (const source of sources) {
      const facts = await inTenant(live().orm('api'), tenancy, (em) => source.read(em, new Date()));
      for (const { link, code } of facts.attention) {
        const { pathname, searchParams } = new URL(link, 'http://of.tests');
        const operation = catalog.find(({ path, method }) => method === 'GET' && path === pathname);
        expect(operation?.scope, `${code}: ${link}`).to.equal(source.scope);
        const requested = Object.keys(operation?.query?.properties ?? {});
        expect(requested, link).to.include.members([...searchParams.keys()]);
        const { status } = await clientOf(live(), tenancy.key).get(link);
        expect(status, link).to.equal(200);
      }
    }
  });
});
