import { expect } from 'chai';
import { judgeClocks } from '#lib/ops/doctor/clock.ts';
import { judgeDatabase, type DatabaseFacts, type RoleFacts } from '#lib/ops/doctor/database.ts';
import type { Finding } from '#lib/ops/doctor/finding.ts';
import { judgeMachine, type MachineFacts } from '#lib/ops/doctor/machine.ts';
import { judgeQueue, type QueueFacts } from '#lib/ops/doctor/queue.ts';
import { judgeService, type ServiceFacts } from '#lib/ops/doctor/service.ts';

/** Returns the findings that report a problem, each as `status check`. */
function ills(findings: readonly Finding[]): string[] {
  for (const { status, remedy } of findings) expect(remedy === undefined).to.equal(status === 'ok');
  return findings.filter(({ status }) => status !== 'ok').map(({ status, check }) => `${status} ${check}`);
}

const machine: MachineFacts = {
  node: '24.21.0',
  nodeTested: '24.21.0',
  home: { path: '/home', freeBytes: 5e9 },
  packages: [{ name: 'koa', wanted: '3.3.0', installed: '3.3.0' }],
};
const database: DatabaseFacts = {
  version: '18.4',
  roles: [{ name: 'assay_api', exists: true, powers: [], unlimited: [] }],
  isPooled: false,
  pending: [],
  expected: ['run'],
  tables: [{ name: 'run', enabled: true, forced: true, policies: 1 }],
};
const unlimited: RoleFacts = {
  ...database.roles[0]!,
  unlimited: [{ limit: 'statement_timeout', ms: 15_000 }],
};
const redis: QueueFacts = {
  on: 'redis',
  version: '7.0.15',
  evictionPolicy: 'noeviction',
  persistence: true,
};
const service: ServiceFacts = {
  connected: { api: 1, 'worker-numerics': 2, 'worker-io': 1, scheduler: 1 },
  oldestWaitSeconds: 0,
  overdue: [],
  lost: [],
};

describe('assay doctor', () => {
  it('reports no fault and no warning for a healthy service', () => {
    const all = [
      judgeMachine(machine),
      judgeDatabase(database),
      judgeQueue(redis),
      judgeQueue({ on: 'postgres', tables: 9 }),
      judgeClocks({ PostgreSQL: 3, Redis: -1_900 }),
      judgeService(service),
    ];
    for (const findings of all) {
      expect(findings).to.not.have.lengthOf(0);
      expect(ills(findings)).to.deep.equal([]);
    }
  });

  it('requires time limits of the roles only behind a pooler', () => {
    expect(ills(judgeDatabase({ ...database, roles: [unlimited] }))).to.deep.equal([]);
    expect(ills(judgeDatabase({ ...database, isPooled: true }))).to.deep.equal([]);
  });

  const cases: [string, () => Finding[], string[]][] = [
    ['a Node version below the minimum', () => judgeMachine({ ...machine, node: '22.1.0' }), ['fault node']],
    [
      'a Node version above the tested version',
      () => judgeMachine({ ...machine, node: '26.0.0' }),
      ['warning node'],
    ],
    [
      'a disk that is nearly full',
      () => judgeMachine({ ...machine, home: { path: '/', freeBytes: 9e8 } }),
      ['warning disk'],
    ],
    [
      'a disk that is full',
      () => judgeMachine({ ...machine, home: { path: '/', freeBytes: 1e8 } }),
      ['fault disk'],
    ],
    [
      'an installed package of another version',
      () => judgeMachine({ ...machine, packages: [{ name: 'koa', wanted: '3.3.0', installed: '2.0.0' }] }),
      ['fault packages'],
    ],
    ['a database that cannot be reached', () => judgeDatabase({ error: 'refused' }), ['fault database']],
    [
      'a PostgreSQL version below the minimum',
      () => judgeDatabase({ ...database, version: '14.9' }),
      ['fault database'],
    ],
    [
      'roles without a time limit behind a pooler',
      () => judgeDatabase({ ...database, isPooled: true, roles: [unlimited] }),
      ['fault time limits'],
    ],
    [
      'a missing role',
      () =>
        judgeDatabase({
          ...database,
          roles: [{ name: 'assay_api', exists: false, powers: [], unlimited: [] }],
        }),
      ['fault roles'],
    ],
    [
      'a role that is a superuser',
      () =>
        judgeDatabase({
          ...database,
          roles: [{ name: 'a', exists: true, powers: ['superuser'], unlimited: [] }],
        }),
      ['fault roles'],
    ],
    [
      'a migration that was not applied',
      () => judgeDatabase({ ...database, pending: ['x'] }),
      ['fault migrations'],
    ],
    [
      'an unknown list of migrations',
      () => judgeDatabase({ ...database, pending: undefined }),
      ['fault migrations'],
    ],
    ['a missing table', () => judgeDatabase({ ...database, tables: [] }), ['fault row-level security']],
    ...(['enabled', 'forced'] as const).map((name): [string, () => Finding[], string[]] => [
      `row-level security that is not ${name}`,
      () => judgeDatabase({ ...database, tables: [{ ...database.tables[0]!, [name]: false }] }),
      ['fault row-level security'],
    ]),
    [
      'a table with a second row-level security policy',
      () => judgeDatabase({ ...database, tables: [{ ...database.tables[0]!, policies: 2 }] }),
      ['fault row-level security'],
    ],
    ['a queue that cannot be reached', () => judgeQueue({ error: 'refused' }), ['fault queue']],
    ['a queue without its schema', () => judgeQueue({ on: 'postgres', tables: 0 }), ['fault queue']],
    ['a Redis version below the minimum', () => judgeQueue({ ...redis, version: '6.0.9' }), ['fault queue']],
    [
      'a Redis that may evict keys',
      () => judgeQueue({ ...redis, evictionPolicy: 'allkeys-lru' }),
      ['fault queue eviction'],
    ],
    [
      'a Redis that does not report its eviction policy',
      () => judgeQueue({ ...redis, evictionPolicy: undefined }),
      ['warning queue eviction'],
    ],
    [
      'a Redis without persistence',
      () => judgeQueue({ ...redis, persistence: false }),
      ['warning queue persistence'],
    ],
    ['a clock that is ahead', () => judgeClocks({ PostgreSQL: 2_100 }), ['fault clock']],
    ['a clock that is behind', () => judgeClocks({ Redis: -2_100, PostgreSQL: 1 }), ['fault clock']],
    [
      'a process type of which no process is running',
      () => judgeService({ ...service, connected: { ...service.connected, scheduler: 0 } }),
      ['fault processes'],
    ],
    [
      'processes that a pooler hides',
      () => judgeService({ ...service, connected: null }),
      ['warning processes'],
    ],
    [
      'a service without running processes',
      () => judgeService({ ...service, connected: {} }),
      ['warning processes'],
    ],
    [
      'a run that waits for more than 60 s',
      () => judgeService({ ...service, oldestWaitSeconds: 61 }),
      ['warning waiting runs'],
    ],
    [
      'a run that exceeds its time limit',
      () => judgeService({ ...service, overdue: ['tfr_1'] }),
      ['warning overdue runs'],
    ],
    ['a run without a queue job', () => judgeService({ ...service, lost: ['tfr_1'] }), ['warning lost runs']],
  ];
  for (const [ill, judge, expected] of cases) {
    it(`reports a ${expected[0]!.split(' ')[0]} for ${ill}`, () =>
      expect(ills(judge())).to.deep.equal(expected));
  }
});
