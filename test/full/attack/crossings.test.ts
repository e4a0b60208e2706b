import { expect } from 'chai';
import { exampleOf } from '#api/derive/example.ts';
import { isUid } from '#lib/core/id.ts';
import { inPlatform } from '#lib/database/orm.ts';
import { Application } from '#lib/access/application.entity.ts';
import type { ApplicationStatus } from '#lib/access/application.ts';
import type { Operation } from '#lib/core/operation.ts';
import { call, expectProblem } from '../../contract/call.ts';
import { operations, scoped } from '../../contract/operations.ts';
import { isOfWorkspace, make, placeOf } from '../../contract/resources.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { bearer, startAttacker } from '../../support/bystander.ts';
import { onOneBackend } from '../../support/live.ts';
import { asSuperuser } from '../../support/rows.ts';
import { times } from '../../support/repetitions.ts';

const REQUESTS = times({ usual: 20, full: 200, all: 2_000 });

onOneBackend('Keys of the sandbox and of production of one workspace', function (live) {
  let sandbox: Tenancy;
  let production: Tenancy;
  const made = new Map<string, Promise<string>>();

  before(async () => {
    sandbox = await buildTenancy(live());
    production = await buildTenancy(live(), { workspace: sandbox.workspace, environment: 'production' });
  });

  const onResources = operations.filter(
    (operation) => operation.path.includes('{uid}') && !isOfWorkspace(operation),
  );
  const madeOnce = (operation: Operation, tenancy: Tenancy): Promise<string> => {
    const place = `${placeOf(operation)} ${tenancy.environment}`;
    if (!made.has(place)) made.set(place, make(live(), operation, tenancy));
    return made.get(place)!;
  };

  const sides = () => [
    { own: sandbox, foreign: production },
    { own: production, foreign: sandbox },
  ];

  for (const operation of onResources) {
    it(`cannot use resources of the other environment at ${operation.key}`, async () => {
      for (const { own, foreign } of sides()) {
        const parameter = await madeOnce(operation, foreign);
        const body = operation.body && exampleOf(operation.body);
        const answer = await call(live(), operation, {
          key: own.key,
          body,
          parameter,
          headers: { prefer: 'respond-async' },
        });
        expectProblem(answer, 'not_found', `${own.environment} at ${foreign.environment}`);
      }
    });
  }

  const withUids = operations.filter(
    ({ body }) => body && JSON.stringify(exampleOf(body)).match(/"[a-z]{3}_[0-7]/),
  );
  for (const operation of withUids) {
    it(`cannot use resources of the other environment in the body of ${operation.key}`, async () => {
      for (const { own, foreign } of sides()) {
        const uids = await Promise.all(onResources.map((each) => madeOnce(each, foreign)));
        const body = replaced(exampleOf(operation.body!), uids);
        const parameter = operation.path.includes('{uid}') ? await make(live(), operation, own) : undefined;
        const { status, body: answer } = await call(live(), operation, {
          key: own.key,
          body,
          parameter,
          headers: { prefer: 'wait=60' },
        });
        expect(status, `${JSON.stringify(body)}: ${JSON.stringify(answer)}`).to.be.within(400, 499);
      }
    });
  }

  it('list no resource of the other environment', async () => {
    for (const { own, foreign } of sides()) {
      const uids = new Set(await Promise.all(onResources.map((each) => madeOnce(each, foreign))));
      const lists = operations.filter(({ method, path }) => method === 'GET' && !path.includes('{'));
      for (const operation of lists) {
        const { status, body } = await call(live(), operation, { key: own.key });
        const rows: Record<string, unknown>[] = status === 200 && Array.isArray(body.data) ? body.data : [];
        const seen = isOfWorkspace(operation)
          ? []
          : rows.map(({ uid }) => uid).filter((uid) => uids.has(uid as string));
        expect(seen, `${operation.key} of ${own.environment}`).to.deep.equal([]);
      }
    }
  });
});

onOneBackend('The suspension of an application', function (live) {
  it(`during ${REQUESTS} requests causes every later request to be rejected, on every operation, without a write`, async () => {
    const tenancy = await buildTenancy(live());
    const setStatus = (status: ApplicationStatus) =>
      inPlatform(live().orm('operator'), (em) =>
        em.nativeUpdate(Application, { uid: tenancy.application }, { status }, { filters: false }),
      );
    const attacker = startAttacker(live().url);
    const shots = [{ path: '/api/v2/workspace', headers: bearer(tenancy.key) }];
    try {
      const under = attacker.run({ kind: 'flood', shots, requests: REQUESTS, atOnce: 8 });
      await setStatus('suspended');
      await under;
      const after = await attacker.run({ kind: 'flood', shots, requests: REQUESTS, atOnce: 8 });
      expect(after.codes).to.deep.equal({ application_inactive: REQUESTS });
    } finally {
      await attacker.end();
    }
    for (const operation of scoped) {
      const body = operation.body && exampleOf(operation.body);
      expectProblem(
        await call(live(), operation, { key: tenancy.key, body }),
        'application_inactive',
        operation.key,
      );
    }
    const { rows } = await asSuperuser(live(), (client) =>
      client.query('select count(*)::int as count from run where workspace_uid = $1', [tenancy.workspace]),
    );
    expect(rows[0].count).to.equal(0);
  });
});

/** Returns a body with the given uids, each in place of a uid of its kind. */
function replaced(value: unknown, uids: readonly string[]): unknown {
  if (typeof value === 'string' && isUid(value)) {
    return uids.find((uid) => uid.slice(0, 4) === value.slice(0, 4)) ?? uids[0]!;
  }
  if (Array.isArray(value)) return value.map((each) => replaced(each, uids));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, replaced(each, uids)]));
}
