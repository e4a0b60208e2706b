import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { parquetReadObjects } from 'hyparquet';
import { API_PREFIX } from '#api/derive/router.ts';
import { canonicalHash } from '#lib/core/seal.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { clientOf, type Client } from '../../support/client.ts';
import { createFeature } from '../../support/feature.ts';
import { onOneBackend } from '../../support/live.ts';
import { createProject, SNAPSHOTS } from '../../support/research.ts';

const AT = '2020-01-31T00:00:00Z';

onOneBackend('GET /quant/research/snapshots/{uid}/matrix and /column', function (live) {
  let tenancy: Tenancy;
  let client: Client;
  let snapshot: any;
  let keys: string[];
  let folder: string;

  before(async () => {
    tenancy = await buildTenancy(live());
    client = clientOf(live(), tenancy.key);
    folder = await mkdtemp(path.join(tmpdir(), 'assay-column-'));
    keys = [];
    for (const values of [
      [0.1, 1e-300, -0],
      [1, 2, 3],
      [4, 5, 6],
    ]) {
      const rows = ['A,B', 'C', 'é'].map((entity, at) => ({
        entity,
        eventTime: AT,
        knownAt: AT,
        value: values[at]!,
      }));
      keys.push((await createFeature(live(), tenancy, { values: rows.slice(0, keys.length + 1) })).key);
    }
    const id = await createProject(live(), tenancy, keys.toSorted());
    snapshot = (await client.post(SNAPSHOTS, { project_id: id, as_of_date: '2020-01-31' })).body;
  });
  after(() => rm(folder, { recursive: true }));

  const download = (query: string, headers: Record<string, string> = {}) =>
    fetch(`${live().url}${API_PREFIX}${SNAPSHOTS}/${snapshot.uid}/matrix${query}`, {
      headers: { authorization: `Bearer ${tenancy.key}`, ...headers },
    });
  const cellsOf = (rows: Record<string, unknown>[]) =>
    Object.fromEntries(rows.map(({ entity, ...cells }) => [entity, keys.map((key) => cells[key] ?? null)]));
  const expected = { 'A,B': [0.1, 1, 4], C: [null, 2, 5], é: [null, null, 6] };

  it('returns the JSON that the seal covers', async () => {
    const matrix = await (await download('')).json();
    expect(canonicalHash(matrix)).to.equal(snapshot.attachment_hashes.matrix);
  });

  it('returns the same numbers as CSV and Parquet, chosen by format or by Accept', async () => {
    for (const answer of [await download('?format=csv'), await download('', { accept: 'text/csv' })]) {
      expect(answer.headers.get('content-type')).to.match(/^text\/csv/);
      expect(answer.headers.get('content-disposition')).to.equal(
        `attachment; filename="${snapshot.uid}.csv"`,
      );
      const lines = (await answer.text()).split('\r\n');
      expect(lines[0]).to.equal(['entity', ...keys.toSorted()].join(','));
      expect(lines[1]!.startsWith('"A,B",')).to.equal(true);
      expect(lines.slice(1, -1)).to.have.lengthOf(3);
      expect(lines.at(-1)).to.equal('');
    }
    for (const answer of [
      await download('?format=parquet'),
      await download('', { accept: 'application/vnd.apache.parquet' }),
    ]) {
      const file = await answer.arrayBuffer();
      expect(cellsOf(await parquetReadObjects({ file }))).to.deep.equal(expected);
      const again = await download('?format=parquet', { 'if-none-match': answer.headers.get('etag')! });
      expect(again.status).to.equal(304);
    }
    const file = await (await download('?format=parquet&layout=long')).arrayBuffer();
    const long = await parquetReadObjects({ file });
    expect(long).to.have.lengthOf(9);
    expect(long.find(({ entity, feature }) => entity === 'C' && feature === keys[0])).to.deep.equal({
      entity: 'C',
      feature: keys[0],
      version: 1,
      value: null,
      event_time: null,
      known_at: null,
      age_days: null,
      reason: 'never_observed',
    });
    expect((await download('', { accept: 'image/png' })).status).to.equal(406);
    expect((await download('?format=xlsx')).status).to.equal(422);
  });

  it('returns a single column that can be verified without a database or a network', async () => {
    const file = path.join(folder, 'column.json');
    const verify = async (document: unknown) => {
      await writeFile(file, JSON.stringify(document));
      return assay(undefined, 'verify', file, '--json');
    };
    for (const { feature, leaf_hash } of snapshot.result.columns) {
      const { body } = await client.get(`${SNAPSHOTS}/${snapshot.uid}/column?feature=${feature}`);
      expect(body.root).to.equal(snapshot.result.root);
      expect(leaf_hash).to.match(/^[0-9a-f]{64}$/);
      expect((await verify(body)).json).to.include({ intact: true, root: snapshot.result.root });
      const changed = structuredClone(body);
      changed.column.known_at[0] = '2020-01-30T00:00:00Z';
      const broken = await verify(changed);
      expect([broken.status, broken.json.differences]).to.deep.equal([1, ['column']]);
    }
    const { body } = await client.get(`${SNAPSHOTS}/${snapshot.uid}/column`);
    expect(body.column.feature).to.equal(snapshot.result.columns[0].feature);
    const swapped = { ...body, entities: body.entities.toReversed() };
    expect((await verify(swapped)).json.differences).to.deep.equal(['entities']);
  });

  it("404 for an unknown column and for any part of another workspace's snapshot", async () => {
    expect((await client.get(`${SNAPSHOTS}/${snapshot.uid}/column?feature=nothing`)).status).to.equal(404);
    const stranger = clientOf(live(), (await buildTenancy(live())).key);
    for (const part of ['matrix', 'column', 'matrix?format=csv']) {
      expect((await stranger.get(`${SNAPSHOTS}/${snapshot.uid}/${part}`)).status).to.equal(404);
    }
  });
});
