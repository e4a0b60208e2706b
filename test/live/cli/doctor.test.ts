import { expect } from 'chai';
import { databaseName } from '#lib/database/roles.ts';
import { assay } from '../../support/cli.ts';
import { onOneBackend } from '../../support/live.ts';
import { asSuperuser } from '../../support/rows.ts';
import { eventually } from '../../support/runs.ts';

type Line = { status: string; check: string; seen: string; remedy: string };

onOneBackend('assay doctor', (live) => {
  const examine = async () => {
    const printed = await assay(live(), 'doctor', '--json');
    return { status: printed.status, lines: printed.json.data as Line[], stderr: printed.stderr };
  };
  const faults = (lines: readonly Line[]) => lines.filter(({ status }) => status === 'fault');

  it('exits with 0 on a healthy service', async () => {
    const { status, lines } = await examine();
    expect(faults(lines)).to.deep.equal([]);
    expect(status).to.equal(0);
    const checks = new Set(lines.map(({ check }) => check));
    for (const check of ['node', 'packages', 'disk', 'database', 'roles', 'migrations', 'queue', 'clock'])
      expect(checks).to.include(check);
    const processes = lines.find(({ check }) => check === 'processes');
    expect(processes!.seen).to.equal('1 api, 1 worker-numerics, 1 worker-io, 1 scheduler');
  });

  it('names a process that does not run and states how to start the process', async () => {
    const pid = live().pid('scheduler')!;
    process.kill(pid, 'SIGTERM');
    const { status, lines } = await eventually(async () => {
      const found = await examine();
      return found.status === 1 && found;
    });
    expect(status).to.equal(1);
    expect(faults(lines)).to.deep.include({
      status: 'fault',
      check: 'processes',
      seen: 'no scheduler is connected to the database',
      remedy: 'start one: `npm run scheduler`',
    });
    await eventually(async () => live().pid('scheduler') !== pid && (await examine()).status === 0);
  });

  it('names a table without row-level security and a role with too many rights', async () => {
    const role = `${databaseName(live().ownerUrl)}_api`;
    await asSuperuser(live(), (database) =>
      database.query(`alter table price no force row level security; alter role ${role} createdb`),
    );
    const { status, lines, stderr } = await examine();
    await asSuperuser(live(), (database) =>
      database.query(`alter table price force row level security; alter role ${role} nocreatedb`),
    );
    expect(status).to.equal(1);
    expect(stderr).to.include('faults_found');
    expect(faults(lines).map(({ seen }) => seen)).to.deep.equal([
      `${role} may do more than it should: creates databases`,
      'price: not forced',
    ]);
  });

  it('reports a missing database', async () => {
    const { status, json } = await assay(undefined, 'doctor', '--json');
    expect(status).to.equal(1);
    expect(faults(json.data).map(({ check }) => check)).to.deep.equal(['database']);
  });
});
