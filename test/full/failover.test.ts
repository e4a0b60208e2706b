import { expect } from 'chai';
import { roleUrl } from '#lib/database/roles.ts';
import { startApi, type ApiProcess } from '../support/api-process.ts';
import { startBackend, type Backend } from '../support/backends.ts';
import { buildTenancy } from '../support/build.ts';
import { clientOf } from '../support/client.ts';
import { createCounterparty } from '../support/counterparty.ts';
import { startCallers, type Callers, type Ground } from '../support/failover/callers.ts';
import { failoverMissing, startFailoverCluster, type FailoverCluster } from '../support/failover/cluster.ts';
import { expectLogIntact, expectWhole } from '../support/failover/table.ts';
import { expectSealedOnce } from '../support/fault-table.ts';
import { draft, approve, governedSample } from '../support/govern.ts';
import { importTiny } from '../support/import.ts';
import { eventually } from '../support/runs.ts';

const DATABASE = 'assay_failover';

// The defaults of the product. The limits of other tests are longer.
const LIMITS = { RUN_WAIT_MS: '20000', DATABASE_WAIT_MS: '5000', LOCK_MS: '5000', SWEEP_MS: '2000' };

describe('PostgreSQL fails over under load', function () {
  let cluster: FailoverCluster;
  let live: Backend;
  let running: Callers | undefined;

  before(async function () {
    const missing = await failoverMissing();
    if (missing !== undefined) {
      console.log(`      left out: ${missing}`);
      this.skip();
    }
    cluster = await startFailoverCluster();
    live = await startBackend('postgres', DATABASE, LIMITS, cluster);
  });
  afterEach(() => running?.abandon());
  after(async () => {
    await live?.stop();
    await cluster?.release();
  });

  /** Runs a fault while callers act, and checks afterwards that no effect is lost or doubled. */
  async function underFault(
    fault: string,
    {
      strike,
      meanwhile,
      mend,
    }: Record<'strike' | 'meanwhile' | 'mend', (former: string, callers: Callers) => Promise<unknown>>,
  ): Promise<void> {
    const ground = await prepare();
    const callers = startCallers(live, ground);
    running = callers;
    const { acknowledged, acts } = callers;
    await whileNoFaults(callers, async () => Object.values(acknowledged).every((list) => list.length >= 3));
    const former = (await cluster.primary())!;
    await strike(former, callers);
    const struck = performance.now();
    await eventually(async () => {
      const primary = await cluster.primary();
      return primary !== undefined && primary !== former;
    }, 'a new primary');
    const elected = performance.now();
    const [run, obligation, settlement, imported] = await Promise.all([
      acts.seal(),
      acts.register(),
      acts.settle(),
      acts.import(),
      eventually(isReady),
    ]);
    const whole = performance.now();
    acknowledged.runs.push(run);
    acknowledged.obligations.push(obligation);
    acknowledged.settlements.push(settlement);
    acknowledged.imports.push(imported);
    await meanwhile(former, callers);
    await mend(former, callers);
    await eventually(() => cluster.isWhole(), 'a primary with two standbys');
    await callers.stop();
    await expectSealedOnce(live, fault, ground.workspace, acknowledged.runs);
    await expectLogIntact(live, ground.workspace);
    await expectWhole(
      live,
      { fault, electedMs: elected - struck, wholeMs: whole - elected },
      callers,
      ground,
    );
  }

  const isReady = async () => {
    const answers = await Promise.all([...live.opsUrls.values()].map((url) => fetch(`${url}/readyz`)));
    return answers.every(({ status }) => status === 200);
  };

  /** Creates a workspace with data, an active delegation, and an application that may do everything. */
  async function prepare(): Promise<Ground> {
    const sample = await governedSample(live);
    const { workspace } = sample;
    const { key } = await buildTenancy(live, { workspace });
    await importTiny(live, workspace);
    const budgets = { per_action_minor: 10, per_day_minor: 5_000, per_month_minor: 5_000 };
    const drafted = await draft(live, sample, { budgets });
    expect(drafted.status, JSON.stringify(drafted.body)).to.equal(201);
    const approved = await approve(live, sample.applications.approver.api_key, drafted.body.uid);
    expect(approved.status, JSON.stringify(approved.body)).to.equal(200);
    const importing = (await buildTenancy(live)).workspace;
    return {
      workspace,
      importing,
      key,
      delegation: drafted.body.uid,
      counterparty: await createCounterparty(live, workspace),
    };
  }

  const isRecovering = (node: string) => cluster.ask(node, DATABASE, 'select pg_is_in_recovery()');
  const knowsRun = (node: string, uid: string) =>
    cluster.ask(node, DATABASE, `select count(*) from run where uid = '${uid}'`);

  describe('because the primary is killed', () => {
    let direct: ApiProcess;
    after(() => direct?.stop());

    it('so that no effect is lost or doubled, and a process that reaches the former primary directly serves nothing', async () => {
      await underFault('primary killed (kill -9)', {
        async strike(former) {
          const url = roleUrl(live.ownerUrl, 'api');
          direct = await startApi(live, { ...LIMITS, DATABASE_URL: cluster.urlOf(former, url) });
          expect((await fetch(`${direct.url}/readyz`)).status).to.equal(200);
          await cluster.kill(former);
        },
        async meanwhile() {},
        async mend(former, { ground }) {
          await eventually(async () => (await isRecovering(former).catch(() => '')) === 't');
          const { status, headers, body } = await clientOf(direct, ground.key).get('/workspace');
          expect(status, JSON.stringify(body)).to.equal(503);
          expect(headers.get('retry-after')).to.equal('2');
          expect((await fetch(`${direct.url}/readyz`)).status).to.equal(503);
        },
      });
    });
  });

  it('because the primary is cut off from the network, so that no effect is lost or doubled', async () => {
    await underFault('primary cut off from the network', {
      strike: (former) => cluster.machines.connect(former, false),
      async meanwhile(former, { acknowledged }) {
        await eventually(async () => (await isRecovering(former).catch(() => '')) === 't');
        expect(await knowsRun(former, acknowledged.runs.at(-1)!)).to.equal('0');
      },
      mend: (former) => cluster.machines.connect(former, true),
    });
  });

  it('because the primary is frozen, so that no effect is lost or doubled, and nothing is read from it when it wakes', async () => {
    let frozen: { pid: number; name: string }[];
    await underFault('primary frozen, later woken', {
      async strike(former) {
        frozen = await cluster.machines.processes(former);
        await cluster.machines.signal(
          'STOP',
          frozen.map(({ pid }) => pid),
        );
      },
      // PostgreSQL wakes before Patroni. Until then it still acts as a primary, and its data is old.
      async meanwhile(former, callers) {
        const { acknowledged, answers } = callers;
        const last = acknowledged.runs.at(-1)!;
        const servers = frozen.filter(({ name }) => name === 'postgres');
        await cluster.machines.signal(
          'CONT',
          servers.map(({ pid }) => pid),
        );
        expect(await isRecovering(former)).to.equal('f');
        expect(await knowsRun(former, last)).to.equal('0');
        const before = answers.done;
        await whileNoFaults(callers, async () => answers.done > before + 30);
        const sessions = `select count(*) from pg_stat_activity
          where application_name like 'assay %' and wait_event is distinct from 'SyncRep'`;
        await eventually(async () => (await cluster.ask(former, DATABASE, sessions)) === '0');
        expect(await isRecovering(former)).to.equal('f');
      },
      async mend() {
        await cluster.machines.signal(
          'CONT',
          frozen.map(({ pid }) => pid),
        );
      },
    });
  });
});

/** Waits for a condition, and fails as soon as a caller has given up. */
async function whileNoFaults({ answers }: Callers, look: () => Promise<boolean>): Promise<void> {
  await eventually(async () => {
    expect(answers.faults).to.deep.equal([]);
    return look();
  }, look.toString());
}
