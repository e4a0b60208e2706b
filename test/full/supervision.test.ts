import { expect } from 'chai';
import type { Stack } from '#api/process/stack.ts';
import { findServer } from '#lib/database/embedded/cluster.ts';
import { acquireEmbedded, findEmbedded } from '#lib/database/embedded.ts';
import type { Orm } from '#lib/database/base.ts';
import { openOrm } from '#lib/database/orm.ts';
import { roleUrl } from '#lib/database/roles.ts';
import type { Backend } from '../support/backends.ts';
import { buildTenancy } from '../support/build.ts';
import { clientOf } from '../support/client.ts';
import { ownHome, type Home } from '../support/home.ts';
import { importTiny } from '../support/import.ts';
import { eventually } from '../support/runs.ts';

describe('the embedded PostgreSQL under a running stack', function () {
  let homes: Home[];
  let stack: Stack;
  let orm: Orm;
  const reported: string[] = [];

  before(async () => {
    homes = [await ownHome(), await ownHome()];
    stack = await homes[0]!.start((line) => reported.push(line));
    orm = openOrm(roleUrl(stack.ownerUrl, 'operator'), 2);
  });

  after(async () => {
    await orm?.close();
    await stack?.stop();
    for (const home of homes) await home.remove();
  });

  const isReady = async () => (await fetch(`${stack.url}/readyz`)).status === 200;

  it('is restarted on the same port when it is killed', async () => {
    const backend = { orm: () => orm } as unknown as Backend;
    const tenancy = await buildTenancy(backend);
    await importTiny(backend, tenancy.workspace);
    const client = clientOf(stack, tenancy.key);
    const submit = () => client.post('/investment/theme-watch/factors', {});
    expect((await submit()).status).to.equal(201);
    const other = await acquireEmbedded(homes[1]!.folder);
    const otherServer = await findServer(homes[1]!.folder);
    const url = await findEmbedded(homes[0]!.folder);
    const { pid } = (await findServer(homes[0]!.folder))!;

    process.kill(pid, 'SIGKILL');
    await eventually(async () => !(await isReady()));
    await eventually(isReady);

    expect(await findEmbedded(homes[0]!.folder)).to.equal(url);
    expect((await findServer(homes[0]!.folder))!.pid).to.not.equal(pid);
    expect(reported).to.include('the embedded PostgreSQL has ended; starting it again');
    const answer = await eventually(async () => {
      const { status, body } = await submit();
      return status === 201 && body;
    });
    expect(answer).to.deep.include({ state: 'succeeded' });
    expect(answer.seal.hash).to.match(/^[0-9a-f]{64}$/);
    expect(await findServer(homes[1]!.folder)).to.deep.equal(otherServer);
    await other.release();
  });

  it('stays down after the stack was stopped', async () => {
    await orm.close();
    await stack.stop();
    expect(await findServer(homes[0]!.folder)).to.equal(undefined);
  });
});
