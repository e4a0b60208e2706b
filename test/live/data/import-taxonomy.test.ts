import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { sql } from 'kysely';
import { ImportRefused } from '#lib/data/import/load/import-refused.ts';
import { sampleImports } from '#lib/data/sample.ts';
import { publishedTaxonomyVersions } from '#lib/data/taxonomy.query.ts';
import { clockAt, useImportDatabase } from '../../support/import-database.ts';

const HEADER = 'version,published_at,theme,symbol,exposure';
const HASH = 'sha256_of_theme_symbol_exposure_lines';

describe('imports of taxonomies', function () {
  const { database, workspace } = useImportDatabase();

  async function load(rows: readonly string[], versions?: readonly string[]) {
    return database.import({
      kind: 'taxonomy',
      workspace: workspace(),
      path: await database.write('taxonomy.csv', [HEADER, ...rows]),
      versionsPath: versions && (await database.write('versions.csv', versions)),
      clock: clockAt('2021-03-01T10:00:00Z'),
    });
  }

  async function refusalOf(attempt: Promise<unknown>): Promise<ImportRefused> {
    const error = await attempt.then(
      () => undefined,
      (refusal: unknown) => refusal,
    );
    expect(error).to.be.instanceOf(ImportRefused);
    return error as ImportRefused;
  }

  const stored = () =>
    database.texts(
      sql<{ text: string }>`
        select concat_ws(' ', v.version, v.status, coalesce(to_char(v.published_at at time zone 'utc',
          'YYYY-MM-DD"T"HH24:MI:SS'), '-'), v.revision, coalesce(string_agg(x.theme || ':' || x.symbol || ':'
          || x.exposure_micro, ' ' order by x.theme, x.symbol), '')) as text
        from taxonomy_version v
        join dataset d on d.id = v.dataset_id and d.workspace_uid = ${workspace()}
        left join taxonomy_exposure x on x.taxonomy_version_id = v.id
        group by v.id order by v.id
      `,
    );

  it('keep each version with its exposures in millionths and without zero exposures', async () => {
    const report = await load([
      '2018.1,2018-04-02T00:00:00Z,cloud,A,0.7500',
      '2018.1,2018-04-02T00:00:00Z,cloud,B,0',
      '2018.1,2018-04-02,ai_chips,A,1',
      '2020.1,2020-08-22,cloud,A,0.1234565',
    ]);
    expect(report.rows).to.deep.equal({ read: 4, inserted: 3, corrected: 0, unchanged: 1, rejected: 0 });
    expect(await stored()).to.deep.equal([
      '2018.1 published 2018-04-02T00:00:00 1 ai_chips:A:1000000 cloud:A:750000',
      '2020.1 published 2020-08-22T00:00:00 1 cloud:A:123456',
    ]);
  });

  // A run must not select a draft, because nobody has approved it yet.
  it('store a draft, which readers of published versions never receive', async () => {
    const sample = sampleImports.find(({ kind }) => kind === 'taxonomy')!;
    const { dataset } = await database.import({ ...sample, workspace: workspace() });
    const versions = (await stored()).map((row) => row.split(' ').slice(0, 3).join(' '));
    expect(versions).to.deep.equal([
      '2013.1 published 2013-02-10T00:00:00',
      '2014.1 published 2014-07-28T00:00:00',
      '2016.1 published 2016-07-02T00:00:00',
      '2018.1 published 2018-04-02T00:00:00',
      '2020.1 published 2020-08-22T00:00:00',
      '2020.2-draft draft -',
    ]);
    const published = await database.operate((em) => publishedTaxonomyVersions(em, { [dataset.id]: 1 }));
    expect(published.map(({ version }) => version)).to.not.include('2020.2-draft');
    expect(published).to.have.lengthOf(5);
  });

  it('treat a version without a publication time as a draft', async () => {
    await load(['next,,cloud,A,0.5']);
    expect(await stored()).to.deep.equal(['next draft - 1 cloud:A:500000']);
    await load(['next,2021-02-01,cloud,A,0.6']);
    expect(await stored()).to.have.lengthOf(2);
  });

  it('leave an existing published version unchanged if the content is the same', async () => {
    await load(['1,2020-01-01,cloud,A,0.5', '1,2020-01-01,cloud,B,0.5']);
    const later = await load([
      '1,2020-01-01,cloud,B,0.500',
      '1,2020-01-01,cloud,A,0.5',
      '2,2021-01-01,cloud,A,1',
    ]);
    expect(later.rows).to.deep.equal({ read: 3, inserted: 1, corrected: 0, unchanged: 2, rejected: 0 });
    expect((await stored()).map((row) => row.slice(0, 11))).to.deep.equal(['1 published', '2 published']);
  });

  it('reject a repeated version with other exposures, publication time or status', async () => {
    await load(['1,2020-01-01,cloud,A,0.5', '2,2020-06-01,cloud,A,0.5']);
    const before = await stored();
    for (const rows of [
      ['1,2020-01-01,cloud,A,0.6', '3,2021-01-01,cloud,A,1'],
      ['1,2020-01-02,cloud,A,0.5'],
      ['1,,cloud,A,0.5'],
      ['1,2020-01-01,cloud,A,0.5', '1,2020-01-01,cloud,B,0.5'],
    ]) {
      const refusal = await refusalOf(load(rows));
      expect(refusal).to.include({ code: 'taxonomy_version_conflict' });
      expect(refusal.message).to.contain('different content: 1.');
    }
    expect(await stored()).to.deep.equal(before);
  });

  it('reject rows that are invalid, are repeated or contradict the publication time of their version', async () => {
    const refusal = await refusalOf(
      load([
        '1,2020-01-01,cloud,A,0.5',
        '1,2020-01-01,cloud,A,0.5',
        '1,2020-01-02,cloud,B,0.5',
        '1,2020-01-01,Cloud,C,1.5',
        '!,2021-03-02,cloud,D,1e-3',
      ]),
    );
    expect(refusal.errors.map(({ line, column, reason }) => `${line} ${column} ${reason}`)).to.deep.equal([
      '3 symbol repeats line 2: the same version, theme and symbol',
      '4 published_at differs from line 2 of the same version',
      '5 theme must have 1 to 64 characters of a-z, 0-9 and _',
      '5 exposure is above 1',
      '6 version must have 1 to 64 letters, digits and . _ -, and begin with a letter or digit',
      '6 published_at is in the future',
      '6 exposure is not a plain decimal number such as 28.70',
    ]);
  });

  describe('with a file of versions', () => {
    const rows = ['1,2020-01-01,cloud,A,0.50', '1,2020-01-01,cloud,B,1', '1,2020-01-01,chips,A,1'];
    const header = `version,published_at,status,themes,symbols,rows,${HASH}`;
    const hash = createHash('sha256').update('chips,A,1\ncloud,A,0.50\ncloud,B,1\n').digest('hex');

    it('verify the number of rows and the hash of each version', async () => {
      const report = await load(rows, [header, `1,2020-01-01T00:00:00Z,published,2,2,3,${hash}`]);
      expect(report.rows).to.include({ inserted: 3 });
      expect(hash).to.not.equal(createHash('sha256').update('').digest('hex'));
    });

    it('reject every mismatch with the file of versions and list all mismatches', async () => {
      const wrong = `1,2020-01-02,published,1,3,4,${hash.replace(/^./, 'x')}`;
      const refusal = await refusalOf(load(rows, [header, wrong, '2,2020-01-01,published,,,,']));
      expect(refusal.message).to.contain('in the versions file');
      expect(refusal.errors.map(({ line, column, reason }) => `${line} ${column} ${reason}`)).to.deep.equal([
        '2 published_at differs from the taxonomy file',
        '2 themes does not match the taxonomy file: 2',
        '2 symbols does not match the taxonomy file: 2',
        '2 rows does not match the taxonomy file: 3',
        `2 ${HASH} does not match the taxonomy file: ${hash}`,
        '3 version is published, but has no exposures in the taxonomy file',
      ]);
      expect(await stored()).to.deep.equal([]);
    });

    it('reject an unknown status and a publication time that contradicts the status', async () => {
      const refusal = await refusalOf(
        load(rows, [
          'version,published_at,status',
          '1,2020-01-01,final',
          '2,2020-01-01,draft',
          '3,,published',
          '3,,draft',
        ]),
      );
      expect(refusal.errors.map(({ line, column, reason }) => `${line} ${column} ${reason}`)).to.deep.equal([
        '2 status is neither draft nor published',
        '3 published_at must be empty for a draft',
        '4 published_at is empty',
        '5 version repeats line 4',
      ]);
    });

    it('reject a version that the file of versions does not name', async () => {
      const refusal = await refusalOf(
        load([...rows, '9,2020-01-01,cloud,A,1'], ['version,published_at,status', '1,2020-01-01,published']),
      );
      expect(refusal.errors).to.deep.equal([
        { line: 5, column: 'version', value: '9', reason: 'is not in the versions file' },
      ]);
    });

    it('import the same rows again with another file of versions', async () => {
      await load(rows, ['version,published_at,status', '1,2020-01-01,published']);
      const report = await load(rows, ['version,published_at,status', '1,2020-01-01,published', '2,,draft']);
      expect(report).to.include({ alreadyImported: false, revision: 2 });
      expect(report.rows).to.include({ inserted: 0, unchanged: 3 });
      expect((await stored())[1]).to.equal('2 draft - 2 ');
    });
  });

  it('verify the shipped taxonomy against its file of versions', () => {
    const { path, versionsPath } = sampleImports.find(({ kind }) => kind === 'taxonomy')!;
    const lines = readFileSync(path, 'utf8').split('\n');
    for (const row of readFileSync(versionsPath!, 'utf8').trim().split('\n').slice(1)) {
      const [version, , , , , , stated] = row.split(',');
      const own = lines
        .filter((line) => line.startsWith(`${version},`))
        .map((line) => line.split(',').slice(2));
      if (own.length === 0) continue;
      const text = own.map((fields) => `${fields.join(',')}\n`).join('');
      expect(createHash('sha256').update(text).digest('hex')).to.equal(stated);
    }
  });
});
