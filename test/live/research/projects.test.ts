import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { clientOf } from '../../support/client.ts';
import { createFeature } from '../../support/feature.ts';
import { onOneBackend } from '../../support/live.ts';

onOneBackend('assay project', function (live) {
  let tenancy: Tenancy;
  let folder: string;

  before(async () => {
    tenancy = await buildTenancy(live());
    folder = await mkdtemp(path.join(tmpdir(), 'assay-project-'));
  });
  after(() => rm(folder, { recursive: true }));

  const file = async (definition: unknown) => {
    const name = path.join(folder, 'definition.json');
    await writeFile(name, JSON.stringify(definition));
    return name;
  };
  const project = (...words: string[]) =>
    assay(live(), 'project', ...words, '--workspace', tenancy.workspace, '--json');
  const universe = { kind: 'observed' };

  it('creates a project with versions and shows each version', async () => {
    const [one, two] = [await createFeature(live(), tenancy), await createFeature(live(), tenancy)];
    const first = await file({ universe, features: [{ key: one.key }] });
    const created = await project('create', '--name', 'Momentum', '--definition', first);
    expect(created.status, created.stderr).to.equal(0);
    expect(created.json).to.include({ name: 'Momentum', version: 1 });
    const id = String(created.json.id);
    const second = await file({
      universe,
      features: [{ key: two.key }, { key: one.key, version: 1 }],
      target: { feature: two.key, horizons_months: [3, 1] },
      calendar: 'month_end',
    });
    const updated = await project('update', id, '--definition', second);
    expect(updated.json, updated.stderr).to.include({ id: created.json.id, version: 2 });
    const shown = (await project('show', id)).json;
    expect(shown.definition).to.deep.equal({
      universe,
      features: [one.key, two.key].sort().map((key) => ({ key, version: 1 })),
      target: { feature: two.key, version: 1, horizons_months: [1, 3], span_months: 1 },
      calendar: 'month_end',
    });
    expect((await project('show', id, '--version', '1')).json.definition.calendar).to.equal('any_day');
    expect((await project('list')).json.data).to.have.lengthOf(1);
    const listed = (await clientOf(live(), tenancy.key).get('/quant/projects')).body.data;
    expect(listed).to.have.lengthOf(1);
    expect(listed[0]).to.deep.include({ id: created.json.id, version: 2, definition: shown.definition });
    const stranger = clientOf(live(), (await buildTenancy(live())).key);
    expect((await stranger.get('/quant/projects')).body.data).to.deep.equal([]);
    const log = await assay(live(), 'audit', 'list', '--workspace', tenancy.workspace, '--json');
    const ops = log.json.data.map(({ op }: { op: string }) => op);
    expect(ops).to.include.members(['project.created', 'project.updated']);
  });

  it('rejects a repeated name, unknown members and a target that is also a feature', async () => {
    const { key } = await createFeature(live(), tenancy);
    const good = { universe, features: [{ key }] };
    const attempts: [unknown, string][] = [
      [good, 'project_exists'],
      [{ ...good, features: [{ key: 'nothing_of_the_kind' }] }, 'feature_unknown'],
      [{ ...good, features: [{ key, version: 7 }] }, 'feature_unknown'],
      [{ ...good, features: [{ key }, { key }] }, 'feature_repeated'],
      [{ ...good, target: { feature: key, horizons_months: [0] } }, 'leakage'],
      [{ ...good, target: { feature: key, horizons_months: [1], span_months: 3 } }, 'leakage'],
      [{ ...good, whatever: 1 }, 'definition_invalid'],
    ];
    await project('create', '--name', 'Taken', '--definition', await file(good));
    for (const [definition, code] of attempts) {
      const name = code === 'project_exists' ? 'Taken' : 'Free';
      const { status, stderr } = await project(
        'create',
        '--name',
        name,
        '--definition',
        await file(definition),
      );
      expect([status, stderr.split(':')[0]]).to.deep.equal([1, code]);
    }
  });
});
