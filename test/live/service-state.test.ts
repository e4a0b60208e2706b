import { expect } from 'chai';
import { buildTenancy } from '../support/build.ts';
import { userOf } from '../support/client.ts';
import { importTiny } from '../support/import.ts';
import { onOneBackend } from '../support/live.ts';
import { readState } from '../support/state.ts';

// Each test that waits compares this state to decide whether the services still work.
onOneBackend('The state of the services', (live) => {
  it('changes with each run and names the database, the processes and their work', async () => {
    const tenancy = await buildTenancy(live());
    await importTiny(live(), tenancy.workspace);
    const before = await readState();
    await userOf(live(), tenancy.key).sealedFactors();
    const after = await readState();
    expect(after).to.not.equal(before);
    for (const text of [new URL(live().superuserUrl).pathname.slice(1), `api ${live().pid('api')}`]) {
      expect(after).to.include(text);
    }
    expect(after).to.match(/runs: .*"kind":"investment.theme-factors","state":"succeeded"/);
    expect(after).to.not.include('database: ');
  });
});
