import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { sql } from 'kysely';
import { controlKinds } from '#lib/actions/authority/kinds.ts';
import { draftGoverned } from '#lib/governance/governed/governed-record.write.ts';
import { assay } from '../../support/cli.ts';
import { clientOf } from '../../support/client.ts';
import { inDays, operatorsOf } from '../../support/control.ts';
import { approve, draft, governedSample, type Sample } from '../../support/govern.ts';
import { onOneBackend } from '../../support/live.ts';

onOneBackend('Control records that two persons bring into force', (live) => {
  let sample: Sample;
  let operators: ReturnType<typeof operatorsOf>;
  let folder: string;
  before(async () => {
    sample = await governedSample(live());
    operators = operatorsOf(live(), sample);
    folder = await mkdtemp(join(tmpdir(), 'assay-control-'));
  });
  after(() => rm(folder, { recursive: true }));
  const file = async (body: unknown) => {
    const path = join(folder, `${Math.random()}.json`);
    await writeFile(path, JSON.stringify(body));
    return path;
  };
  const run = (...words: string[]) => assay(live(), ...words, '--json');
  const place = () => ['--workspace', sample.workspace];
  const drafted = (kind: string, body: unknown, by = sample.persons.grantor.uid, key = `k${Math.random()}`) =>
    operators.inside((em) =>
      draftGoverned(em, controlKinds[kind]!, {
        tenant: operators.tenant,
        key,
        name: 'Test',
        body,
        by,
        now: new Date(),
      }),
    );
  const codes = async (kind: string, body: unknown, by?: string) => {
    const outcome = await drafted(kind, body, by);
    return outcome.ok ? [] : outcome.faults.map(({ pointer, code }) => `${pointer} ${code}`);
  };

  it('need two persons for activation and one person for the end of an authority', async () => {
    const { grantor, controller, drafter } = sample.persons;
    const body = await file(operators.authorityBody(drafter.uid));
    const words = ['authority', 'draft', ...place(), '--key', 'dora', '--name', 'Dora', '--file', body];
    const { json: version, stderr } = await run(...words, '--as', grantor.uid);
    expect(version, stderr).to.deep.include({ key: 'dora', version: 1, state: 'draft' });
    expect((await run('authority', 'submit', version.uid, '--as', grantor.uid)).json.state).to.equal(
      'submitted',
    );
    const alone = await run('authority', 'approve', version.uid, '--as', grantor.uid);
    expect([alone.status, alone.stderr.split(':')[0]]).to.deep.equal([1, 'second_person_required']);
    const party = await run('authority', 'approve', version.uid, '--as', drafter.uid);
    expect([party.status, party.stderr.split(':')[0]], 'I-097').to.deep.equal([1, 'party_to_it']);
    expect((await run('authority', 'approve', version.uid, '--as', controller.uid)).json.state).to.equal(
      'active',
    );
    const log = await run('audit', 'list', ...place(), '--subject', version.uid);
    expect(log.json.data.map((each: any) => [each.op, each.outcome.code])).to.deep.equal([
      ['authority.activated', null],
      ['authority.activated', 'party_to_it'],
      ['authority.activated', 'second_person_required'],
      ['authority.submitted', null],
      ['authority.drafted', null],
    ]);
    const reasonless = await run('authority', 'end', version.uid, '--as', grantor.uid);
    expect(reasonless.status).to.equal(2);
    const ended = await run('authority', 'end', version.uid, '--as', grantor.uid, '--reason', 'left');
    expect(ended.json.state).to.equal('ended');
    const again = await run('authority', 'suspend', version.uid, '--as', grantor.uid, '--reason', 'left');
    expect(again.stderr.split(':')[0]).to.equal('transition_not_allowed');
    const shown = await run('authority', 'show', version.uid);
    expect(shown.json).to.deep.include({
      drafted_by: grantor.uid,
      approved_by: controller.uid,
      end_reason: 'left',
    });
  });

  it('are rejected with all faults of their file', async () => {
    const words = ['authority', 'draft', ...place(), '--key', 'bad', '--name', 'Bad', '--file'];
    const wrong = await run(...words, await file({ grantee: 'me', surplus: 1 }));
    expect([wrong.status, wrong.stderr.split(':')[0]]).to.deep.equal([1, 'invalid_body']);
    expect(wrong.stderr).to.contain('/surplus').and.to.contain('/actions');
    expect((await run(...words, join(folder, 'nowhere.json'))).stderr).to.match(/^invalid_file/);
    expect(
      (await run('authority', 'list', ...place())).json.data.map((each: any) => each.key),
    ).to.not.include('bad');
  });

  it("I-095 grant at most the limits of the workspace's ceiling and of the granting person's authority", async () => {
    const who = await operators.person();
    const limit = (per_action_minor: number) => ({
      limits: [{ currency: 'EUR', per_action_minor, per_day_minor: 1e10, per_month_minor: 1e11 }],
    });
    expect(await codes('authority', operators.authorityBody(who, limit(1_000_000_000)))).to.deep.equal([]);
    expect(await codes('authority', operators.authorityBody(who, limit(1_000_000_001)))).to.deep.equal([
      '/limits/0/per_action_minor workspace_ceiling_exceeded',
    ]);
    const foreign = {
      limits: [{ currency: 'SEK', per_action_minor: 1, per_day_minor: 1, per_month_minor: 1 }],
    };
    expect(await codes('authority', operators.authorityBody(who, foreign))).to.deep.equal([
      '/limits/0/currency workspace_ceiling_exceeded',
    ]);
    const head = await operators.person();
    expect(await codes('authority', operators.authorityBody(who), head)).to.deep.equal([
      '/granted_under grantor_without_authority',
    ]);
    const uid = await operators.authorize(head, {
      counterparties: [sample.counterparty_id],
      max_risk_tier: 'T1',
    });
    const { key } = await operators.find(uid);
    const under = (changes: Record<string, unknown>) =>
      codes(
        'authority',
        operators.authorityBody(who, {
          granted_under: key,
          counterparties: [sample.counterparty_id],
          max_risk_tier: 'T1',
          valid_until: inDays(300),
          ...changes,
        }),
        head,
      );
    expect(await under({})).to.deep.equal([]);
    expect(await under({ counterparties: 'any_registered' })).to.deep.equal([
      '/counterparties authority_amplified',
    ]);
    expect(await under({ max_risk_tier: 'T2' })).to.deep.equal(['/max_risk_tier authority_amplified']);
    expect(await under({ capabilities: ['approve_delegation', 'release'] })).to.deep.equal([
      '/capabilities authority_amplified',
    ]);
    expect(await under({ valid_until: inDays(401) })).to.deep.equal(['/valid_until authority_amplified']);
    const more = {
      limits: [
        { currency: 'EUR', per_action_minor: 100_001, per_day_minor: 1_000_000, per_month_minor: 5_000_000 },
      ],
    };
    expect(await under(more)).to.deep.equal(['/limits/0/per_action_minor authority_amplified']);
  });

  it('I-096 change by a new version that ends the previous version', async () => {
    const who = await operators.person();
    const put = (per_action_minor: number) =>
      operators.put('authority', {
        key: 'versions',
        name: 'Versions',
        body: operators.authorityBody(who, {
          limits: [{ currency: 'EUR', per_action_minor, per_day_minor: 1_000, per_month_minor: 1_000 }],
        }),
      });
    const [first, second] = [await put(10), await put(20)];
    expect(await operators.find(first)).to.deep.include({
      state: 'ended',
      endReason: 'superseded',
      version: 1,
    });
    expect(await operators.find(second)).to.deep.include({ state: 'active', version: 2 });
    for (const change of [
      sql`update governed_record set body = '{}' where uid = ${second}`,
      sql`update governed_record set version = 9 where uid = ${second}`,
      sql`update governed_record set state = 'active' where uid = ${first}`,
      sql`delete from governed_record where uid = ${first}`,
      sql`update governed_record set approved_by_uid = submitted_by_uid where uid = ${second}`,
    ]) {
      const code = await operators
        .inside((em) => change.execute(em.getKysely()))
        .then(
          () => 'done',
          (error: { code?: string }) => error.code,
        );
      expect(['23000', '42501', '23514'], String(code)).to.include(code);
    }
  });

  it('I-098 are listed with their history, only for their own workspace', async () => {
    const other = await governedSample(live());
    const client = clientOf(live(), sample.applications.drafter.api_key);
    const { body } = await client.get('/actions/authorities?limit=200');
    const uids = body.data.map((each: any) => each.uid);
    expect(uids).to.include(sample.authority.uid).and.not.to.include(other.authority.uid);
    expect(body.data.map((each: any) => each.status))
      .to.include('superseded')
      .and.to.include('revoked');
    const active = await client.get(
      `/actions/authorities?status=active&grantee=${sample.persons.approver.uid}`,
    );
    expect(active.body.data).to.have.length(1);
    expect(active.body.data[0]).to.deep.include({
      granted_by: sample.persons.grantor.uid,
      approved_by: sample.persons.controller.uid,
      max_risk_tier: 'T2',
    });
    expect(active.body.data[0].grantee.name).to.equal(sample.persons.approver.name);
    expect(JSON.stringify(body)).to.not.contain('@');
  });

  it('I-066 include no approval graph without enough independent persons for its votes', async () => {
    const body = (quorum: number) => ({
      applies_to: { actions: [], risk_tiers: [] },
      nodes: [{ key: 'all', quorum, roles: ['delegation_approver'], users: [], timeout_hours: null }],
    });
    expect(await codes('graph', body(1))).to.deep.equal([]);
    expect(await codes('graph', body(2))).to.deep.equal(['/nodes quorum_unreachable']);
    const drafters = {
      ...body(1),
      nodes: [{ ...body(1).nodes[0]!, roles: [], users: [sample.persons.drafter.uid] }],
    };
    expect(await codes('graph', drafters)).to.deep.equal(['/nodes quorum_unreachable']);
  });

  it('I-099 include approval graphs whose nodes are numbered from 1 and each have voters and a quorum', async () => {
    const { body } = await clientOf(live(), sample.applications.drafter.api_key).get(
      '/actions/approval-graphs',
    );
    for (const graph of body.data) {
      expect(graph.nodes.map((each: any) => each.position)).to.deep.equal(
        graph.nodes.map((_: any, i: number) => i + 1),
      );
    }
    expect(body.data.find((each: any) => each.uid === sample.graph.uid)).to.deep.include({
      status: 'active',
      key: 'sample-one-node',
    });
    const node = (changes: object) => ({
      applies_to: { actions: [], risk_tiers: [] },
      nodes: [{ key: 'one', quorum: 1, roles: [], users: [], timeout_hours: null, ...changes }],
    });
    expect(await codes('graph', node({}))).to.deep.equal(['/nodes/0 node_without_voters']);
    expect(await codes('graph', node({ quorum: 0 }))).to.deep.equal(['/nodes/0/quorum minimum']);
    expect(await codes('graph', node({ roles: ['nobody'] }))).to.deep.equal([
      '/nodes/0/roles/0 unknown_role',
    ]);
    const { nodes } = node({ users: [sample.persons.approver.uid] });
    for (const bound of ['min_amount_minor', 'max_amount_minor']) {
      const amounts = { actions: [], risk_tiers: [], [bound]: 1 };
      expect(await codes('graph', { nodes, applies_to: amounts }), bound).to.deep.equal([
        '/applies_to/currency currency_missing',
      ]);
      const whole = { ...amounts, currency: sample.currency };
      expect(await codes('graph', { nodes, applies_to: whole }), bound).to.deep.equal([]);
    }
  });

  it('give no authority to a suspended person', async () => {
    const { body } = await draft(live(), sample, { execution_mode: 'dry_run' });
    const key = sample.applications.approver.api_key;
    expect((await approve(live(), key, body.uid)).status).to.equal(200);
    const words = [
      '--workspace',
      sample.workspace,
      '--as',
      sample.persons.controller.uid,
      '--reason',
      'leave',
    ];
    expect((await run('person', 'suspend', sample.persons.approver.uid, ...words)).status).to.equal(0);
    const { json } = await run('delegation', 'show', body.uid);
    expect([json.state, json.reason]).to.deep.equal(['suspended', 'person_not_active']);
    expect((await run('person', 'reinstate', sample.persons.approver.uid, ...words)).status).to.equal(0);
    expect((await run('delegation', 'resume', body.uid, '--as', sample.persons.drafter.uid)).stderr).to.match(
      /^sod_same_person/,
    );
    const resumed = await run('delegation', 'resume', body.uid, '--as', sample.persons.approver.uid);
    expect(resumed.json?.state, resumed.stderr).to.equal('activated');
  });

  it('I-047 keep the sum of the delegations of an identity within the ceiling of the identity', async () => {
    const month = (per_month_minor: number, execution_mode: string) => ({
      budgets: { per_action_minor: 1, per_day_minor: 10, per_month_minor },
      execution_mode,
    });
    const first = await draft(live(), sample, month(150_000_000, 'supervised'));
    const second = await draft(live(), sample, { ...month(50_000_001, 'autonomous') });
    const key = sample.applications.approver.api_key;
    expect((await approve(live(), key, first.body.uid)).status).to.equal(200);
    const { status, body } = await approve(live(), key, second.body.uid);
    expect([status, body.code, body.outdated]).to.deep.equal([
      409,
      'terms_no_longer_valid',
      ['identity_ceiling'],
    ]);
    const third = await draft(live(), sample, month(49_999_500, 'autonomous'));
    expect((await approve(live(), key, third.body.uid)).status).to.equal(200);
  });

  it('are absent from a new workspace, apart from its default graph', async () => {
    const { json } = await run('workspace', 'create', '--name', 'Fresh');
    const graphs = await run('graph', 'list', '--workspace', json.uid);
    expect(graphs.json.data.map((each: any) => [each.key, each.state])).to.deep.equal([
      ['delegation-default', 'active'],
    ]);
    for (const group of ['authority', 'binding', 'membership', 'policy', 'connector']) {
      expect((await run(group, 'list', '--workspace', json.uid)).json.data, group).to.deep.equal([]);
    }
    const production = ['--workspace', json.uid, '--environment', 'production'];
    expect((await run('ceiling', 'list', ...production)).json.data).to.deep.equal([]);
  });

  it('have audit log entries that name the person who drafted, created or archived the record', async () => {
    const { grantor, controller } = sample.persons;
    const body = await file({});
    const words = ['role', 'draft', ...place(), '--key', 'clerks', '--name', 'Clerks', '--file', body];
    const { json: role } = await run(...words, '--as', grantor.uid);
    const as = ['--as', controller.uid];
    const { json: party } = await run(
      'custodian',
      'create',
      ...place(),
      '--name',
      'Vault',
      '--key',
      'vault',
      ...as,
    );
    const twice = await run('custodian', 'create', ...place(), '--name', 'Vault', '--key', 'other', ...as);
    expect([twice.status, twice.stderr.split(':')[0]]).to.deep.equal([1, 'custodian_exists']);
    const archive = () =>
      run('custodian', 'archive', String(party.id), ...place(), '--reason', 'closed', ...as);
    expect((await archive()).json).to.deep.equal({ id: party.id, name: 'Vault', state: 'archived' });
    expect((await archive()).stderr.split(':')[0]).to.equal('custodian_unknown');
    const log = async (subject: string, environment: string) => {
      const { json } = await run(
        'audit',
        'list',
        ...place(),
        '--environment',
        environment,
        '--subject',
        subject,
      );
      return json.data.map(({ op, actor, details }: Record<string, any>) => [op, actor.uid, details ?? {}]);
    };
    const hash = (await operators.find(role.uid)).bodyHash;
    expect(await log(role.uid, 'sandbox')).to.deep.equal([
      ['role.drafted', grantor.uid, { key: 'clerks', hash }],
    ]);
    for (const environment of ['sandbox', 'production']) {
      expect(await log(String(party.id), environment)).to.deep.equal([
        ['custodian.archived', controller.uid, { reason: 'closed' }],
        ['custodian.created', controller.uid, {}],
      ]);
    }
    const nowhere = ['--workspace', 'wsp_x', '--name', 'N', '--file', body, '--key', 'k'];
    expect((await run('role', 'draft', ...nowhere)).stderr.split(':')[0]).to.equal('workspace_unknown');
  });
});
