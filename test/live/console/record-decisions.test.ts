import { expect } from 'chai';
import { formToken } from '#api/console/session-cookie.ts';
import { createPerson } from '#lib/access/provision.ts';
import { inPlatform } from '#lib/database/orm.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { clientOf } from '../../support/client.ts';
import { formOf, startConsole, type Console } from '../../support/console.ts';
import { onOneBackend } from '../../support/live.ts';
import { createConflict, createObligation } from '../../support/obligation.ts';
import { createWorkflowRun } from '../../support/workflow.ts';
import { createException, createOrderBatch } from '../../support/order-batch.ts';

onOneBackend('decisions on records in the console', (live) => {
  let console: Console;
  let tenancy: Tenancy;
  const cookies: string[] = [];

  before(async () => {
    console = await startConsole(live());
    tenancy = await buildTenancy(live());
    for (const name of ['First', 'Second']) {
      const person = await inPlatform(live().orm('operator'), async (em) => {
        const given = { workspace: tenancy.workspace, name, email: `${name}@example.com`, roles: ['owner'] };
        return createPerson(em, { ...given, now: new Date() }).uid;
      });
      cookies.push(await console.signIn(person));
    }
  });
  after(() => console.stop());

  const decide = async (
    place: string,
    name: string,
    fields: Record<string, string> = {},
    cookie: string = cookies[0]!,
  ) => {
    const path = `/console/${place}`;
    const token = formToken(cookie.split('=')[1]!, path);
    const answer = await console.ask(`${path}/${name}`, formOf({ token, ...fields }, { cookie }));
    const text = await answer.text();
    return { status: answer.status, code: /<code>(\w+)<\/code>/.exec(text)?.[1], text };
  };
  const stateOf = async (path: string) => {
    const { body } = await clientOf(live(), tenancy.key).get(path);
    return body.state ?? body.governance_state;
  };

  it('resolves an exception with evidence, and waives an exception after two persons have decided so', async () => {
    const uid = await createException(live(), tenancy);
    const place = `exceptions/${uid}`;
    const read = () => stateOf(`/actions/execution-exceptions/${uid}`);
    expect((await decide(place, 'acknowledge')).status).to.equal(303);
    expect(await read()).to.equal('acknowledged');
    expect((await decide(place, 'waive')).code).to.equal('reason_required');
    expect((await decide(place, 'resolve', { reason: 'paid' })).code).to.equal('reason_required');
    expect((await decide(place, 'waive', { reason: 'small' })).status).to.equal(303);
    expect((await decide(place, 'waive', { reason: 'small' })).code).to.equal('second_person_required');
    expect((await decide(place, 'waive', { reason: 'small' }, cookies[1])).status).to.equal(303);
    expect(await read()).to.equal('waived');
  });

  it('decides on batches, obligations and their conflicts', async () => {
    const batch = await createOrderBatch(live(), tenancy);
    const evaluated = await decide(`batches/${batch}`, 'evaluate');
    expect(evaluated.status, evaluated.text).to.equal(303);
    expect((await decide(`batches/${batch}`, 'approve')).code).to.be.oneOf([
      'authority_missing',
      'controls_not_passed',
    ]);
    expect((await decide(`batches/${batch}`, 'cancel', { reason: 'test' })).status).to.equal(303);
    expect(await stateOf(`/actions/investment-execution/${batch}`)).to.equal('cancelled');

    const obligation = await createObligation(live(), tenancy);
    expect((await decide(`obligations/${obligation}`, 'withdraw', { reason: 'wrong' })).status).to.equal(303);
    expect(await stateOf(`/actions/credit-corporate/obligations/${obligation}`)).to.equal('withdrawn');
    const conflict = await createConflict(live(), tenancy);
    expect((await decide(`conflicts/${conflict}`, 'supersede', { reason: 'newer' })).status).to.equal(303);
    expect((await decide(`conflicts/${conflict}`, 'keep', { reason: 'older' })).code).to.equal(
      'conflict_resolved',
    );
  });

  it('cancels a run of a workflow', async () => {
    const uid = await createWorkflowRun(live(), tenancy);
    expect((await decide(`workflows/${uid}`, 'cancel')).code).to.equal('reason_required');
    const cancelled = await decide(`workflows/${uid}`, 'cancel', { reason: 'test' });
    expect(cancelled.status, cancelled.text).to.equal(303);
    expect(await stateOf(`/workflows/runs/${uid}`)).to.equal('cancelled');
  });

  it('answers a decision on a record of another workspace like a decision on an unknown record', async () => {
    const other = await buildTenancy(live());
    const uid = await createObligation(live(), other);
    const { status } = await decide(`obligations/${uid}`, 'withdraw', { reason: 'theirs' });
    expect(status).to.equal(404);
    const { body } = await clientOf(live(), other.key).get(`/actions/credit-corporate/obligations/${uid}`);
    expect(body.governance_state).to.equal('registered');
  });
});
