import { expect } from 'chai';
import { startApi, type ApiProcess } from '../../support/api-process.ts';
import { buildTenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { clientOf } from '../../support/client.ts';
import { onOneBackend } from '../../support/live.ts';

onOneBackend('Two API processes', function (live) {
  let second: ApiProcess;
  before(async () => {
    second = await startApi(live());
  });
  after(() => second.stop());

  it('both accept only the new key on the next call after a rotation', async () => {
    const { credential, key } = await buildTenancy(live());
    const status = async (at: { url: string }, token: string) =>
      (await clientOf(at, token).get('/workspace')).status;
    for (const at of [live(), second, second]) expect(await status(at, key)).to.equal(200);
    const rotated = (await assay(live(), 'key', 'rotate', credential, '--json')).json.api_key;
    for (const at of [second, live()]) {
      expect(await status(at, key)).to.equal(401);
      expect(await status(at, rotated)).to.equal(200);
    }
  });
});
