import { expect } from 'chai';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { checkSeal } from '#lib/core/seal.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { importEconomics } from '../../support/forecast.ts';
import { withFile } from '../../support/ledger.ts';
import { onOneBackend } from '../../support/live.ts';

onOneBackend('assay forecast', function (live) {
  let tenancy: Tenancy;

  before(async () => {
    tenancy = await buildTenancy(live());
    await importEconomics(live(), tenancy.workspace);
  });

  it('requests a forecast, draws the sealed result and can show it again', () =>
    withFile([tenancy.key], async (file) => {
      const run = (...words: string[]) =>
        assay(live(), 'forecast', 'run', '--url', live().url, '--key-file', file, ...words);
      const requested = [
        '--metric',
        'economics.GDPC1',
        '--horizon',
        '12',
        '--method',
        'theta',
        '--levels',
        '80',
      ];
      const { json, stderr } = await run(...requested, '--reason', 'Plan', '--json');
      expect(stderr).to.equal('');
      expect(checkSeal(json)).to.include({ intact: true });
      expect(json.input).to.deep.include({ method: 'theta', levels: [80], reason: 'Plan' });
      const shown = await assay(live(), 'forecast', 'show', json.uid);
      expect(shown.stderr).to.equal('');
      expect(shown.stdout).to.include('economics.GDPC1, quarterly, billions of chained dollars, known by ');
      expect(shown.stdout.match(/●/g)).to.have.lengthOf(12 + 1);
      expect(shown.stdout).to.include('2025-Q1').and.include(json.seal.hash);
      const document = path.join(path.dirname(file), 'forecast.json');
      await writeFile(document, (await assay(live(), 'forecast', 'show', json.uid, '--json')).stdout);
      expect((await assay(undefined, 'verify', document)).status).to.equal(0);
      const listed = await assay(live(), 'forecast', 'list', '--workspace', tenancy.workspace, '--json');
      expect(listed.json.data).to.have.lengthOf(1);
      expect(listed.json.data[0]).to.include({ uid: json.uid, state: 'succeeded', horizon: 12 });
    }));

  it('reports why no forecast is possible', () =>
    withFile([tenancy.key], async (file) => {
      const run = async (url: string, key: string, ...words: string[]) =>
        (await assay(live(), 'forecast', 'run', '--url', url, '--key-file', key, ...words)).stderr;
      const words = ['--metric', 'economics.NOTHING', '--horizon', '3'];
      expect(await run(live().url, file, ...words)).to.match(/^unknown_metric: /);
      expect(await run(live().url, '/nowhere', ...words)).to.match(/^key_file_unreadable: /);
      expect(await run('http://127.0.0.1:1', file, ...words)).to.match(/^service_away: /);
      const missing = await assay(live(), 'forecast', 'show', 'fct_01K8XQ5W3ZJ6T9R2M4N7P0QABC');
      expect([missing.status, missing.stderr]).to.deep.equal([
        1,
        'forecast_unknown: there is no forecast fct_01K8XQ5W3ZJ6T9R2M4N7P0QABC\n',
      ]);
    }));
});
