import { expect } from 'chai';
import { catalog } from '#api/catalog.ts';
import { changeLedger, ChangeLedger } from '#api/derive/ledger.ts';
import { API_PREFIX } from '#api/derive/router.ts';
import { published } from '#api/pages/published.ts';
import { createAjv } from '#lib/core/ajv.ts';
import type { Operation } from '#lib/core/operation.ts';
import { onOneBackend } from '../support/live.ts';
import { expectInvalid, expectProblem, send } from './call.ts';

const key = 'investment.theme_watch.factors.create';
const operation = catalog.find((each) => each.key === key)!;

describe('the change ledger', () => {
  const ledger = changeLedger(published, catalog);
  const rowsOf = (operations: readonly Operation[]) =>
    changeLedger(published, operations).data.filter(({ operation_key }) => operation_key === key);

  it('counts its rows: one for each published operation and one for each addition', () => {
    const additions = catalog.filter(({ addition }) => addition);
    expect(ledger.data.map(({ operation_key }) => operation_key)).to.deep.equal([
      ...published.map((row) => row.key),
      ...additions.map((each) => each.key),
    ]);
    expect(ledger.summary).to.deep.equal({
      published: 90,
      offered: catalog.length - additions.length,
      additions: additions.length,
      scope_mismatches: 0,
      deprecated: 0,
    });
  });

  it('states the status of each operation', () => {
    expect(rowsOf(catalog)).to.deep.equal([
      {
        product: 'Investment analytics',
        method: 'POST',
        path: '/api/v2/investment/theme-watch/factors',
        operation_key: key,
        scope: 'investment:run',
        alignment: 'aligned',
        stability: 'stable',
        lifecycle: 'published',
        change_summary: 'Offered as published.',
      },
    ]);
    const offered = new Set(catalog.map(({ key }) => key));
    for (const { operation_key, alignment } of ledger.data.slice(0, 90)) {
      expect(alignment, operation_key).to.equal(offered.has(operation_key) ? 'aligned' : 'not_offered');
    }
    for (const { alignment } of ledger.data.slice(90)) expect(alignment).to.equal('addition');
  });

  it('reports an operation that is offered under a different scope', () => {
    const changed: Operation = { ...operation, scope: 'investment:execute' };
    const [row] = rowsOf([changed]);
    expect(row).to.include({ alignment: 'scope_mismatch', scope: 'investment:run' });
    expect(row!.change_summary).to.equal('Published under investment:run, offered under investment:execute.');
    expect(changeLedger(published, [changed]).summary).to.include({ offered: 1, scope_mismatches: 1 });
  });

  it('counts a moved operation as one missing operation and one addition', () => {
    const rows = rowsOf([{ ...operation, path: '/investment/theme-watch/models' }]);
    expect(rows.map(({ alignment }) => alignment)).to.deep.equal(['not_offered', 'addition']);
  });

  it('shows the deprecation date and the shutdown date of an operation', () => {
    const [row] = rowsOf([{ ...operation, deprecated: { since: '2026-12-01', sunset: '2027-06-01' } }]);
    expect(row).to.include({ lifecycle: 'deprecated', alignment: 'aligned' });
    expect(row!.change_summary).to.equal(
      'Offered as published. Deprecated since 2026-12-01. It remains available until 2027-06-01.',
    );
    const { summary } = changeLedger(published, [{ ...operation, deprecated: { since: '2026-12-01' } }]);
    expect(summary.deprecated).to.equal(1);
  });
});

onOneBackend('The change ledger', (live) => {
  it('200 returns the ledger of this catalog without a credential', async () => {
    const { status, headers, body } = await send(live(), 'GET', `${API_PREFIX}/changes`);
    expect(status).to.equal(200);
    expect(headers.get('content-type')).to.match(/^application\/json/);
    expect(createAjv().compile(ChangeLedger)(body)).to.equal(true);
    expect(body).to.deep.equal(changeLedger(published, catalog));
  });

  it('rejects query parameters with 422 and other methods with 405', async () => {
    const requested = await send(live(), 'GET', `${API_PREFIX}/changes?limit=1`);
    expectInvalid(requested, 'query', ['/limit']);
    expectProblem(await send(live(), 'POST', `${API_PREFIX}/changes`), 'method_not_allowed');
  });
});
