import { LockMode } from '@mikro-orm/core';
import { expect } from 'chai';
import { Person } from '#lib/workspace/person.entity.ts';
import type { PersonEvent } from '#lib/workspace/person.ts';
import { buildTenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { onOneBackend } from '../../support/live.ts';
import { atOnce } from '../../support/locked.ts';

onOneBackend('assay person suspend, reinstate, depart', function (live) {
  this.timeout(60_000);
  let workspace: string;
  let ann: string;
  let bob: string;

  beforeEach(async () => {
    ({ workspace, person: ann } = await buildTenancy(live()));
    bob = (await buildTenancy(live(), { workspace })).person;
  });

  const change = (event: PersonEvent, person: string, by: string, reason = 'because') => {
    const words = ['--workspace', workspace, '--as', by, '--reason', reason, '--json'];
    return assay(live(), 'person', event, person, ...words);
  };
  const changesOf = async (person: string) => {
    const words = ['--workspace', workspace, '--environment', 'production', '--subject', person, '--json'];
    const { json } = await assay(live(), 'audit', 'list', ...words);
    return json.data.toReversed();
  };
  const stateOf = async (uid: string) => {
    const { json } = await assay(live(), 'person', 'list', '--workspace', workspace, '--json');
    return json.data.find((person: { uid: string }) => person.uid === uid).state;
  };
  const hold = (...persons: string[]) => ({
    hold: (em: Parameters<Parameters<typeof atOnce>[1]>[0]) =>
      em.find(Person, { uid: persons }, { filters: false, lockMode: LockMode.PESSIMISTIC_WRITE }),
  });

  it('changes the state, and keeps in the audit log who did it and why', async () => {
    const suspended = await change('suspend', bob, ann, 'left his desk open');
    expect(suspended.json).to.deep.equal({ uid: bob, from: 'active', to: 'suspended' });
    expect((await change('reinstate', bob, ann)).status).to.equal(0);
    expect((await change('depart', bob, ann)).status).to.equal(0);
    expect(await stateOf(bob)).to.equal('departed');
    const kept = await changesOf(bob);
    expect(kept.map(({ op }: { op: string }) => op)).to.deep.equal([
      'person.suspended',
      'person.reinstated',
      'person.departed',
    ]);
    expect(kept[0].actor.uid ?? kept[0].actor).to.include(ann);
  });

  it('refuses with a code, and changes nothing', async () => {
    const stranger = (await buildTenancy(live())).person;
    const refused = async (...given: Parameters<typeof change>) => (await change(...given)).stderr;
    expect(await refused('suspend', ann, ann)).to.match(/^own_state: /);
    expect(await refused('reinstate', bob, ann)).to.match(/^person_not_suspended: /);
    expect(await refused('suspend', bob, stranger)).to.match(/^person_unknown: /);
    expect(await refused('suspend', stranger, ann)).to.match(/^person_unknown: /);
    expect(await refused('suspend', bob, ann, ' ')).to.match(/^invalid_text: /);
    expect([await stateOf(ann), await stateOf(bob)]).to.deep.equal(['active', 'active']);
  });

  it('lets one of two who suspend the same person at once win', async () => {
    const eve = (await buildTenancy(live(), { workspace })).person;
    const both = await atOnce(live(), hold(eve).hold, [
      () => change('suspend', eve, ann),
      () => change('suspend', eve, bob),
    ]);
    expect(both.map(({ status }) => status).sort()).to.deep.equal([0, 1]);
    expect(both.find(({ status }) => status === 1)!.stderr).to.match(/^person_not_active: /);
    expect(await changesOf(eve)).to.have.length(1);
  });

  it('lets one of two who suspend each other at once win', async () => {
    const both = await atOnce(live(), hold(ann, bob).hold, [
      () => change('suspend', bob, ann),
      () => change('suspend', ann, bob),
    ]);
    expect(both.map(({ status }) => status).sort()).to.deep.equal([0, 1]);
    expect(both.find(({ status }) => status === 1)!.stderr).to.match(/^actor_not_active: /);
    expect([await stateOf(ann), await stateOf(bob)].sort()).to.deep.equal(['active', 'suspended']);
  });

  it('lets nobody act who is not active', async () => {
    await change('suspend', bob, ann);
    const words = ['--name', 'x', '--environment', 'sandbox', '--scopes', 'all', '--owner', bob];
    const created = await assay(live(), 'app', 'create', '--workspace', workspace, ...words);
    expect(created.stderr).to.match(/^person_not_active: /);
  });
});
