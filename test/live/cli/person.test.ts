import { LockMode } from '@mikro-orm/core';
import { expect } from 'chai';
import { proofOf } from '#api/cli/shell/governed.ts';
import { readConfig } from '#lib/core/config.ts';
import { inPlatform } from '#lib/database/orm.ts';
import { roleUrl } from '#lib/database/roles.ts';
import { lockControl } from '#lib/governance/governed/control-lock.query.ts';
import { Person } from '#lib/access/person.entity.ts';
import { codeAt } from '#lib/access/one-time-code.ts';
import type { PersonEvent } from '#lib/access/person.ts';
import { ProductionAccess } from '#lib/access/production-access.entity.ts';
import { createApplication } from '#lib/access/provision.ts';
import { consumeCode } from '#lib/access/prove-person.command.ts';
import { buildTenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { onOneBackend } from '../../support/live.ts';
import { atOnce } from '../../support/locked.ts';

onOneBackend('the command that suspends, reinstates or departs a person', function (live) {
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

  it('changes the state and records the person and the reason in the audit log', async () => {
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

  it('fails with an error code and without a change', async () => {
    const stranger = (await buildTenancy(live())).person;
    const refused = async (...given: Parameters<typeof change>) => (await change(...given)).stderr;
    expect(await refused('suspend', ann, ann)).to.match(/^own_state: /);
    expect(await refused('reinstate', bob, ann)).to.match(/^person_not_suspended: /);
    expect(await refused('suspend', bob, stranger)).to.match(/^person_unknown: /);
    expect(await refused('suspend', stranger, ann)).to.match(/^person_unknown: /);
    expect(await refused('suspend', bob, ann, ' ')).to.match(/^invalid_text: /);
    expect([await stateOf(ann), await stateOf(bob)]).to.deep.equal(['active', 'active']);
  });

  it('accepts one of two concurrent suspensions of the same person', async () => {
    const eve = (await buildTenancy(live(), { workspace })).person;
    const both = await atOnce(live(), hold(eve).hold, [
      () => change('suspend', eve, ann),
      () => change('suspend', eve, bob),
    ]);
    expect(both.map(({ status }) => status).sort()).to.deep.equal([0, 1]);
    expect(both.find(({ status }) => status === 1)!.stderr).to.match(/^person_not_active: /);
    expect(await changesOf(eve)).to.have.length(1);
  });

  it('accepts one suspension if two persons suspend each other concurrently', async () => {
    const both = await atOnce(live(), hold(ann, bob).hold, [
      () => change('suspend', bob, ann),
      () => change('suspend', ann, bob),
    ]);
    expect(both.map(({ status }) => status).sort()).to.deep.equal([0, 1]);
    expect(both.find(({ status }) => status === 1)!.stderr).to.match(/^actor_not_active: /);
    expect([await stateOf(ann), await stateOf(bob)].sort()).to.deep.equal(['active', 'suspended']);
  });

  it('allows no action of a suspended or departed person', async () => {
    await change('suspend', bob, ann);
    const words = ['--name', 'x', '--environment', 'sandbox', '--scopes', 'all', '--owner', bob];
    const created = await assay(live(), 'app', 'create', '--workspace', workspace, ...words);
    expect(created.stderr).to.match(/^person_not_active: /);
  });

  describe('if a person is enrolled for one-time codes', () => {
    let secret: string;
    /**
     * Returns the one-time code of the current time step or, because each code is valid once, of a later time
     * step.
     */
    const code = (ahead = 0) => codeAt(secret, new Date(Date.now() + ahead * 30_000));
    const run = (...words: string[]) => assay(live(), ...words, '--json');
    const create = (...words: string[]) =>
      run(
        ...['person', 'create', '--workspace', workspace, '--name', 'Eve', '--roles', 'owner,approver'],
        ...['--email', `eve.${workspace}@acme.example`, ...words],
      );
    const refusal = async (doing: ReturnType<typeof run>) => (await doing).stderr.split(':')[0];

    beforeEach(async () => {
      ({ secret } = (await run('person', 'enrol', ann)).json);
    });

    it('creates a person only with the code of an enrolled person and records that person', async () => {
      expect(await refusal(create())).to.equal('code_invalid');
      expect(await refusal(create('--as', bob))).to.equal('person_not_enrolled');
      expect(await refusal(create('--as', bob, '--code', code()))).to.equal('person_not_enrolled');
      const made = await create('--as', ann, '--code', code());
      expect(made.status, made.stderr).to.equal(0);
      const [kept] = await changesOf(made.json.uid);
      expect(kept).to.deep.include({ op: 'person.created', actor: { kind: 'person', uid: ann } });
    });

    it('shows nobody the secret of another person, not even with a code', async () => {
      expect(await refusal(run('person', 'enrol', bob))).to.equal('code_invalid');
      expect(await refusal(run('person', 'enrol', bob, '--as', bob))).to.equal('person_not_enrolled');
      const refused = await run('person', 'enrol', bob, '--as', ann, '--code', code());
      expect([refused.stdout, refused.stderr.split(':')[0]]).to.deep.equal(['', 'codes_of_another']);
      expect(await refusal(run('person', 'enrol', ann, '--as', bob))).to.equal('codes_of_another');
      const [kept, ...more] = await changesOf(bob);
      expect(more).to.deep.equal([]);
      expect(kept).to.deep.include({ op: 'person.enrolled', actor: { kind: 'person', uid: ann } });
      expect(kept.outcome).to.include({ status: 'refused', code: 'codes_of_another' });
    });

    it('replaces own codes with a code of the old secret, and they count at once', async () => {
      const replaced = await run('person', 'enrol', ann, '--code', code());
      expect(replaced.json, replaced.stderr).to.include({ uid: ann, state: 'confirmed' });
      expect(await refusal(create('--as', ann, '--code', code(1)))).to.equal('code_invalid');
      secret = replaced.json.secret;
      expect((await create('--as', ann, '--code', code())).status).to.equal(0);
    });

    it('enrols only one of two persons if both enrol concurrently and nobody was enrolled before', async () => {
      const { workspace: other, person: one } = await buildTenancy(live());
      const two = (await buildTenancy(live(), { workspace: other })).person;
      const lock = (em: Parameters<Parameters<typeof atOnce>[1]>[0]) => lockControl(em, other, 'change');
      const both = await atOnce(live(), lock, [
        () => run('person', 'enrol', one),
        () => run('person', 'enrol', two),
      ]);
      expect(both.map(({ status }) => status).sort()).to.deep.equal([0, 1]);
    });

    it('requires a code to reinstate a person, but not to suspend or depart a person', async () => {
      expect((await change('suspend', bob, ann)).status).to.equal(0);
      expect(await refusal(change('reinstate', bob, ann))).to.equal('code_invalid');
      const words = ['--workspace', workspace, '--as', ann, '--reason', 'back'];
      const reinstated = await run('person', 'reinstate', bob, ...words, '--code', code());
      expect(reinstated.json, reinstated.stderr).to.deep.equal({ uid: bob, from: 'suspended', to: 'active' });
      expect((await change('depart', bob, ann)).status).to.equal(0);
    });

    it('still requires codes when all enrolled persons are suspended', async () => {
      expect((await change('suspend', ann, bob)).status).to.equal(0);
      expect(await refusal(create('--as', bob))).to.equal('person_not_enrolled');
      expect(await refusal(run('person', 'enrol', bob, '--as', ann, '--code', code()))).to.equal(
        'person_not_active',
      );
    });

    it('consumes a code even if the command is refused', async () => {
      const words = ['--workspace', workspace, '--as', ann, '--reason', 'back'];
      const reinstate = (...more: string[]) => run('person', 'reinstate', bob, ...words, ...more);
      const shown = code();
      expect(await refusal(reinstate('--code', shown))).to.equal('person_not_suspended');
      expect(await refusal(create('--as', ann, '--code', shown))).to.equal('code_invalid');
      expect((await create('--as', ann, '--code', code(1))).status).to.equal(0);
    });

    describe('the count of wrong codes of a person', () => {
      /** Returns different codes that are wrong at every time step near the time of the test. */
      const wrongCodes = (count: number) => {
        const right = new Set([-3, -2, -1, 0, 1, 2, 3].map((ahead) => code(ahead)));
        const all = Array.from({ length: count + right.size }, (_, at) => String(100_000 + at));
        return all.filter((each) => !right.has(each)).slice(0, count);
      };
      const tryCode = (shown: string) => refusal(create('--as', ann, '--code', shown));
      /**
       * Consumes a code directly. The effect is the same as that of a command with the code, and it takes less time.
       */
      const spend = async (shown: string) => {
        const databaseUrl = roleUrl(live().ownerUrl, 'operator');
        const means = proofOf({ config: readConfig({}), databaseUrl, orm: live().orm('operator') });
        const given = { code: shown, environment: 'production' as const };
        const used = await consumeCode(means, { uid: ann, name: 'Ann' }, given);
        return used.ok ? 'right' : used.code;
      };
      const lockEntries = async () =>
        (await changesOf(ann)).filter(({ op }: { op: string }) => op === 'person.code_locked');
      const database = () => live().orm('operator').em.getConnection();

      it('locks the code after five wrong codes and unlocks it after fifteen minutes', async () => {
        const [first, ...others] = wrongCodes(5);
        expect(await tryCode(first!)).to.equal('code_invalid');
        for (const wrong of others) expect(await spend(wrong)).to.equal('code_invalid');
        expect(await refusal(create('--as', ann)), 'without a code').to.equal('code_locked');
        expect(await tryCode(code())).to.equal('code_locked');
        expect(await refusal(run('person', 'enrol', ann, '--code', code()))).to.equal('code_locked');
        const [entry, ...more] = await lockEntries();
        expect(more).to.deep.equal([]);
        expect(entry.details.wrong_codes).to.equal(5);
        expect(Date.parse(entry.details.until) - Date.parse(entry.at)).to.be.within(890_000, 900_000);
        await database().execute(
          `update person_code set locked_until = now() - interval '1 second' where person_uid = ?`,
          [ann],
        );
        expect((await create('--as', ann, '--code', code())).status).to.equal(0);
      });

      it('locks the code once if twelve wrong codes arrive concurrently', async () => {
        const answers = await Promise.all(wrongCodes(12).map(spend));
        expect(answers.filter((each) => each === 'code_invalid')).to.have.lengthOf(5);
        expect(answers.filter((each) => each === 'code_locked')).to.have.lengthOf(7);
        expect(await lockEntries()).to.have.lengthOf(1);
      });

      it('does not include commands without a code', async () => {
        for (let at = 0; at < 5; at += 1) expect(await refusal(create('--as', ann))).to.equal('code_invalid');
        expect((await create('--as', ann, '--code', code())).status).to.equal(0);
      });
    });

    it('requires a code to create the persons of a sample', async () => {
      const quickstart = (...more: string[]) =>
        run('govern', 'quickstart', '--workspace', workspace, '--as', ann, ...more);
      expect(await refusal(quickstart())).to.equal('code_invalid');
      expect((await quickstart('--code', code())).json.persons.grantor.uid).to.match(/^per_/);
    });
  });

  it('requires a code if an application has production access, even if nobody is enrolled', async () => {
    await inPlatform(live().orm('operator'), async (em) => {
      const given = { workspaceUid: workspace, environment: 'production' as const };
      const now = new Date();
      const application = createApplication(em, {
        ...{ workspace, environment: 'production', name: 'desk', scopes: [], owner: ann, now },
      });
      await em.flush();
      const by = { requestedByUid: ann, requestedAt: now, approvedByUid: bob, approvedAt: now };
      const access = { applicationUid: application.uid, ...given, state: 'approved' as const, ...by };
      em.create(ProductionAccess, { ...access, revokedByUid: null, revokedAt: null });
    });
    const enrolled = await assay(live(), 'person', 'enrol', bob, '--as', ann);
    expect(enrolled.stderr).to.match(/^person_not_enrolled: /);
  });
});
