import { expect } from 'chai';
import { catalog } from '#api/catalog.ts';
import type { Published } from '#api/derive/ledger.ts';
import { operationId } from '#api/derive/openapi.ts';
import { addressOf } from '#api/derive/router.ts';
import { published } from '#api/pages/published.ts';
import type { TObject } from 'typebox';
import type { RunKind } from '#lib/core/run.ts';
import type { Operation } from '#lib/core/operation.ts';
import { problems } from '#lib/core/problem.ts';
import { products } from '#lib/products.ts';
import { runs as kinds } from '#lib/runs.ts';

/** The paths where runs are submitted. */
const runs = Object.values<RunKind>(kinds).map(({ submission, resource }) => submission ?? resource);
const rows = new Map(published.map((row) => [row.key, row]));

/** Operations that submit many runs of a published kind, and operations that cancel such runs. */
const batches = new Set(['planning.forecasts.batches.create', 'planning.forecasts.batches.cancel']);

/** Operations that compute an answer from a body, and store nothing. */
const checks = new Set(['quant.compute.strategies.check']);

describe('the catalog and the published interface', () => {
  it('are compared on exactly 90 distinct published operations', () => {
    expect(published).to.have.lengthOf(90);
    expect(rows.size).to.equal(90);
    expect(new Set(published.map(({ product }) => product))).to.deep.equal(new Set(products));
    expect(new Set(published.map(({ method, path }) => `${method} ${path}`)).size).to.equal(90);
  });

  for (const operation of catalog.filter(({ addition }) => !addition)) {
    it(`agree on ${operation.key}`, () => {
      expect(differences(operation, rows.get(operation.key))).to.deep.equal([]);
    });
  }

  for (const operation of catalog.filter(({ addition }) => addition)) {
    it(`differ by the addition ${operation.key}, which reads or submits a run on a route that no published operation uses`, () => {
      expect(rows.has(operation.key)).to.equal(false);
      const same = published.filter(({ method, path }) => `${method} ${path}` === routeOf(operation));
      expect(same).to.deep.equal([]);
      // An RFC defines the method of this operation.
      if (operation.oauth) return;
      const policy =
        'an addition is a read, or submits a run: what changes something is published before it is built';
      // An operation on a batch submits or cancels many runs at once.
      if (batches.has(operation.key)) return;
      // A check computes as a run does, and stores nothing.
      if (checks.has(operation.key)) {
        expect([operation.method, operation.accepted]).to.deep.equal(['POST', undefined]);
        expect(operation.scope).to.match(/:run$/);
        return;
      }
      const isRun = runs.some((path) => path === operation.path) && operation.accepted !== undefined;
      expect(operation.method, policy).to.equal(isRun ? 'POST' : 'GET');
      // The published interface has no separate scope for reading evidence packs. The scope `trust:write`
      // permits both making and reading evidence packs.
      if (operation.product === 'Trust') expect(operation.scope).to.equal('trust:write');
      // Lineage has one scope as well, which permits both making and reading exports.
      else if (operation.scope !== 'infrastructure:lineage')
        expect(operation.scope, policy).to.match(isRun ? /:(run|create)$/ : /:read$/);
    });
  }

  for (const run of Object.values<RunKind>(kinds).filter(({ isScheduled }) => !isScheduled)) {
    it(`agree that the operation that submits ${run.key} declares the unsuccessful outcomes of the run`, () => {
      const at = run.submission ?? run.resource;
      const submitting = catalog.find(({ method, path }) => method === 'POST' && path === at)!;
      expect(submitting.problems).to.include.members([
        ...run.problems,
        'run_cancelled',
        'time_limit_exceeded',
      ]);
      expect(submitting.accepted, 'it can answer 202').to.be.an('object');
    });

    it(`agree that a request of ${run.key} consists of the values of path, query and body`, () => {
      const at = run.submission ?? run.resource;
      const operation = catalog.find((each) => each.method === 'POST' && each.path === at)!;
      const { query, path, bodiesByKind = {} } = operation;
      const { kind } = run.request.properties as { kind?: { const?: string } };
      const body = bodiesByKind[kind?.const ?? ''] ?? operation.body;
      const requested = [body, query].flatMap((schema) => Object.keys((schema as TObject)?.properties ?? {}));
      const subjects = Object.keys(run.request.properties).filter((name) => !requested.includes(name));
      expect(subjects).to.have.lengthOf(path.includes('{') ? 1 : 0);
      expect(Object.keys(run.request.properties)).to.have.members([...requested, ...subjects]);
    });
  }

  it('have keys, operation ids and routes that are unique', () => {
    for (const name of [(each: Operation) => each.key, (each: Operation) => operationId(each.key), routeOf]) {
      expect(new Set(catalog.map(name)).size).to.equal(catalog.length);
    }
  });

  it('are reported as different after any single change', () => {
    const row = rows.get('investment.theme_watch.factors.create')!;
    const operation = catalog.find(({ key }) => key === row.key)!;
    expect(differences(operation, undefined)).to.deep.equal(['it is not published']);
    expect(differences({ ...operation, method: 'PUT' }, row)).to.deep.equal([
      'PUT /api/v2/investment/theme-watch/factors',
    ]);
    expect(differences({ ...operation, path: '/a' }, row)).to.deep.equal(['POST /api/v2/a']);
    expect(differences({ ...operation, scope: 'qlm:read' }, row)).to.deep.equal(['scope qlm:read']);
    expect(differences({ ...operation, product: 'Quant' }, row)).to.deep.equal(['product Quant']);
    const success = { ...operation.success, status: 200 };
    expect(differences({ ...operation, success }, row)).to.deep.equal(['success 200']);
    expect(differences({ ...operation, problems: ['not_found'] }, row)).to.deep.equal([
      'no refusal with 503',
    ]);
  });
});

function routeOf(operation: Operation): string {
  return `${operation.method} ${addressOf(operation)}`;
}

/** Returns the ways in which an operation differs from its published row. */
function differences(operation: Operation, row: Published | undefined): string[] {
  if (!row) return ['it is not published'];
  const declared = new Set<number>(operation.problems.map((code) => problems[code].status));
  return [
    ...(routeOf(operation) === `${row.method} ${row.path}` ? [] : [routeOf(operation)]),
    ...(operation.scope === row.scope ? [] : [`scope ${operation.scope}`]),
    ...(operation.product === row.product ? [] : [`product ${operation.product}`]),
    ...(operation.success.status === row.success ? [] : [`success ${operation.success.status}`]),
    ...row.refusals.filter((status) => !declared.has(status)).map((status) => `no refusal with ${status}`),
  ];
}
