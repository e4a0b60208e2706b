import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { appendAudit } from '#lib/audit/audit.write.ts';
import { waitForPlacing } from '#lib/audit/sequencer.write.ts';
import type { AuditEvent } from '#lib/audit/entry.ts';
import { inTenant } from '#lib/database/orm.ts';
import { canonicalJson } from '#lib/core/seal.ts';
import { failureStatus, verifyPack } from '#lib/trust/verify-pack.mjs';
import { callTool } from '../../support/agent.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { clientOf } from '../../support/client.ts';
import { actor, changePastTriggers, happenIn, sealPackOf } from '../../support/evidence-pack.ts';
import { auditEvent } from '../../support/event.ts';
import { onOneBackend } from '../../support/live.ts';
import { asSuperuser } from '../../support/rows.ts';
import { eventually } from '../../support/runs.ts';

onOneBackend('evidence packs', function (live) {
  const keySet = async () => (await fetch(`${live().url}/.well-known/assay-keys.json`)).text();
  const seal = (tenancy: Tenancy) => sealPackOf(live(), tenancy.key);

  const happen = (tenancy: Tenancy, ...events: Partial<AuditEvent>[]) => happenIn(live(), tenancy, ...events);
  const pastTriggers = (text: string, values: unknown[]) => changePastTriggers(live(), text, values);

  it('are verified for an agent against the previous pack and the published keys', async () => {
    const tenancy = await buildTenancy(live());
    const [first, second] = [await seal(tenancy), await seal(tenancy)];
    const check = async (uid: string) =>
      (await callTool(live(), tenancy.key, 'verify_evidence_pack', { uid })).body.result;
    const { structuredContent: held } = await check(second.uid);
    expect(held).to.deep.equal({
      uid: second.uid,
      sequence: 2,
      pack_hash: second.seal.pack_hash,
      holds: true,
      failure: null,
      detail: null,
      previous_uid: first.uid,
    });
    const swapped =
      'update evidence_pack set signature = (select signature from evidence_pack where run_uid = $2) where run_uid = $1';
    await pastTriggers(swapped, [second.uid, first.uid]);
    const { structuredContent: broken } = await check(second.uid);
    expect(broken).to.deep.include({ holds: false, failure: 'signature' });
    const strange = await buildTenancy(live());
    const { body } = await callTool(live(), strange.key, 'verify_evidence_pack', { uid: first.uid });
    expect(JSON.parse(body.result.content[0].text)).to.include({ code: 'not_found' });
  });

  it('create an event for each log entry that is placed during their sealing', async () => {
    const tenancy = await buildTenancy(live());
    const { workspace, environment } = tenancy;
    const event = auditEvent();
    const { sealing } = await inTenant(live().orm('worker'), { workspace, environment }, async (em) => {
      await waitForPlacing(em);
      await appendAudit(em, event);
      const sealing = seal(tenancy);
      await eventually(() =>
        asSuperuser(live(), async (client) => {
          const { rowCount } = await client.query(
            `select from pg_locks where locktype = 'advisory' and not granted
              and database = (select oid from pg_database where datname = current_database())`,
          );
          return rowCount === 1;
        }),
      );
      return { sealing };
    });
    await sealing;
    const { body } = await clientOf(live(), tenancy.key).get(`/events?type=${event.op}`);
    expect(body.data.map((each: any) => each.subject.uid)).to.deep.equal([event.subject.uid]);
  });

  it('I-122: 201 form a chain that can be verified offline', async () => {
    const tenancy = await buildTenancy(live());
    await happen(tenancy, {}, {}, {});
    const first = await seal(tenancy);
    await happen(tenancy, {});
    const second = await seal(tenancy);
    expect([first.sequence, second.sequence]).to.deep.equal([1, 2]);
    expect(second.period.from).to.equal(first.period.to);
    expect(second.seal.previous_pack_hash).to.equal(first.seal.pack_hash);
    expect([first.log.tree_size, second.log.previous_tree_size]).to.deep.equal([3, 3]);
    // The fourth entry is the seal of the first pack itself.
    expect(second.log.tree_size).to.equal(5);
    const checked = verifyPack(JSON.stringify(second), {
      keys: await keySet(),
      previous: JSON.stringify(first),
    });
    expect(checked).to.include({ ok: true, keys_checked: true, sequence: 2 });
    const client = clientOf(live(), tenancy.key);
    const read = await client.get(`/trust/evidence-packs/${second.uid}`);
    expect(read.body).to.deep.equal(second);
    const list = await client.get('/trust/evidence-packs?limit=1');
    expect(list.body.data).to.have.lengthOf(1);
    expect(list.body.data[0]).to.include({ uid: second.uid, pack_hash: second.seal.pack_hash });
    const next = await client.get(list.headers.get('link')!.match(/<\/api\/v2(.*)>/)![1]!);
    expect(next.body.data.map((each: { uid: string }) => each.uid)).to.deep.equal([first.uid]);
  });

  it('I-123: get consecutive numbers without a gap for concurrent calls', async () => {
    const tenancy = await buildTenancy(live());
    await happen(tenancy, {}, {});
    const packs = await Promise.all(Array.from({ length: 4 }, () => seal(tenancy)));
    const inOrder = packs.toSorted((a, b) => a.sequence - b.sequence);
    expect(inOrder.map(({ sequence }) => sequence)).to.deep.equal([1, 2, 3, 4]);
    for (const [at, pack] of inOrder.slice(1).entries()) {
      const previous = JSON.stringify(inOrder[at]);
      expect(verifyPack(JSON.stringify(pack), { previous })).to.include({ ok: true });
    }
  });

  it('I-125: count the entries of their period and merge small counts', async () => {
    const tenancy = await buildTenancy(live());
    await happen(tenancy, { op: 'key.issued' }, { op: 'key.issued' });
    await seal(tenancy);
    const refused = { op: 'delegation.approval_refused', refused: 'sod_same_person' } as const;
    await happen(tenancy, ...Array.from({ length: 3 }, () => refused), {}, { op: 'exception.opened' });
    const { aggregates } = await seal(tenancy);
    expect(aggregates).to.deep.equal({
      entries: 6,
      refused: 3,
      by_operation: [
        { key: 'delegation.approval_refused', entries: 3 },
        { key: 'other', entries: 3 },
      ],
      refusals_by_code: [{ key: 'sod_same_person', entries: 3 }],
      conflicts: 0,
      exceptions_opened: 1,
      credential_changes: 0,
    });
  });

  it('test each control on the log and claim only tested results', async () => {
    const tenancy = await buildTenancy(live());
    const batch = (uid: string) => ({ subject: { type: 'order_batch', uid } });
    await happen(
      tenancy,
      { op: 'batch.imported', ...batch('bat_1'), actor: actor('per_1') },
      { op: 'batch.approved', ...batch('bat_1'), actor: actor('per_2') },
      { op: 'batch.imported', ...batch('bat_2'), actor: actor('per_1') },
      { op: 'batch.approved', ...batch('bat_2'), actor: actor('per_1') },
      { op: 'batch.approved', ...batch('bat_3'), actor: actor('per_1') },
      { op: 'key.issued' },
    );
    const pack = await seal(tenancy);
    const of = (key: string) => pack.controls.find((each: { key: string }) => each.key === key);
    expect(of('order_batch_second_person')).to.include({
      population: 3,
      tested: 2,
      passed: 1,
      failed: 1,
      not_evaluated: 1,
      result: 'not_satisfied',
    });
    expect(of('order_batch_second_person').observation_refs).to.deep.equal([3, 1, 4]);
    expect(of('credential_attributed')).to.include({ population: 1, result: 'satisfied' });
    expect(of('model_approval_second_person')).to.include({ population: 0, result: 'not_evaluated' });
    expect(of('log_integrity')).to.include({ population: 6, result: 'satisfied' });
    const later = await seal(tenancy);
    const sealed = later.controls.find((each: { key: string }) => each.key === 'results_sealed');
    expect(sealed).to.include({ population: 1, passed: 1, result: 'satisfied' });
  });

  it('I-124: contain the kind of each action and none of its actors, subjects or details', async () => {
    const tenancy = await buildTenancy(live());
    const canary = 'canary-7f3a';
    await happen(tenancy, {
      op: 'key.issued',
      actor: actor(`per_${canary}`),
      subject: { type: 'credential', uid: canary },
      requestId: canary,
      details: { name: canary, amount_minor: 4242424242, email: `${canary}@example.com` },
    });
    const text = JSON.stringify(await seal(tenancy));
    const payload = Buffer.from(JSON.parse(text).envelope.payload, 'base64').toString();
    for (const each of [text, payload]) {
      expect(each).to.not.include(canary).and.not.include('4242424242').and.not.include(tenancy.key);
    }
  });

  it('I-127: keep their RFC 8785 form after parsing and serialization', async () => {
    const tenancy = await buildTenancy(live());
    await happen(tenancy, {}, { op: 'key.issued' });
    const pack = await seal(tenancy);
    expect(canonicalJson(JSON.parse(canonicalJson(pack)))).to.equal(canonicalJson(pack));
    const numbers: unknown[] = [];
    JSON.stringify(pack, (_, value) => (typeof value === 'number' && numbers.push(value), value));
    expect(numbers.length).to.be.greaterThan(9);
    expect(numbers.every(Number.isSafeInteger)).to.equal(true);
  });

  it('I-128: 500 without a signature if any entry, however old, was changed', async () => {
    const tenancy = await buildTenancy(live());
    await happen(tenancy, {}, {}, {});
    await seal(tenancy);
    await pastTriggers(
      `update audit_entry set body = replace(body, 'tst_1', 'tst_2') where id =
        (select min(id) from audit_entry where workspace_uid = $1)`,
      [tenancy.workspace],
    );
    const client = clientOf(live(), tenancy.key);
    const { status, body } = await client.post('/trust/evidence-packs');
    expect([status, body.code]).to.deep.equal([500, 'log_integrity_failure']);
    expect((await client.get('/trust/evidence-packs')).body.data).to.have.lengthOf(1);
  });

  it('503 without a log entry while no signing key can be decrypted', async () => {
    const tenancy = await buildTenancy(live());
    const spoil = (from: string, to: string) =>
      pastTriggers(`update signing_key set private_sealed = replace(private_sealed, $1, $2)`, [from, to]);
    await spoil('v1.', 'v9.');
    try {
      const { status, body } = await clientOf(live(), tenancy.key).post('/trust/evidence-packs');
      expect([status, body.code]).to.deep.equal([503, 'signing_unavailable']);
    } finally {
      await spoil('v9.', 'v1.');
    }
    expect((await seal(tenancy)).sequence).to.equal(1);
  });

  it('422 with a body, 403 without the scope, 404 for a pack of another workspace', async () => {
    const [mine, theirs] = [await buildTenancy(live()), await buildTenancy(live())];
    const bodied = await clientOf(live(), mine.key).post('/trust/evidence-packs', { from: '2026-01-01' });
    expect([bodied.status, bodied.body.code]).to.deep.equal([422, 'unexpected_body']);
    const { uid } = await seal(mine);
    expect((await clientOf(live(), theirs.key).get(`/trust/evidence-packs/${uid}`)).status).to.equal(404);
    // The workspace `theirs` has no entries in its log.
    const empty = await seal(theirs);
    expect([empty.sequence, empty.log.tree_size]).to.deep.equal([1, 0]);
    expect(verifyPack(JSON.stringify(empty))).to.include({ ok: true });
  });

  it('can be reproduced bit for bit from the log, even without the private key', async () => {
    const tenancy = await buildTenancy(live());
    await happen(tenancy, {}, { op: 'key.issued' });
    const { uid } = await seal(tenancy);
    await happen(tenancy, {}, {});
    await seal(tenancy);
    const replayed = await assay(live(), 'replay', uid, '--json');
    expect(replayed.status, replayed.stderr).to.equal(0);
    expect(replayed.json).to.include({ identical: true });
  });

  it('202 with a Location that returns the pack once it is sealed', async () => {
    const tenancy = await buildTenancy(live());
    const client = clientOf(live(), tenancy.key);
    const { status, headers } = await client.post('/trust/evidence-packs', undefined, {
      prefer: 'respond-async',
    });
    expect(status).to.equal(202);
    const at = headers.get('location')!.replace('/api/v2', '');
    const { body } = await client.get(`${at}?wait=60`);
    expect(verifyPack(JSON.stringify(body))).to.include({ ok: true, uid: at.split('/').at(-1) });
  });

  it('are verified by `assay verify`, which exits with the same status as the separate verifier', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'assay-packs-'));
    const keep = async (name: string, text: string) => {
      const file = path.join(folder, name);
      await writeFile(file, text);
      return file;
    };
    const pack = await seal(await buildTenancy(live()));
    const file = await keep('pack.json', JSON.stringify(pack));
    const keys = await keep('keys.json', await keySet());
    const verified = await assay(live(), 'verify', file, '--keys', keys, '--json');
    expect([verified.status, verified.json.intact, verified.json.keys_checked]).to.deep.equal([
      0,
      true,
      true,
    ]);
    const changed = await keep('changed.json', JSON.stringify({ ...pack, sequence: 2 }));
    const broken = await assay(live(), 'verify', changed, '--json');
    expect([broken.status, broken.json.failure]).to.deep.equal([failureStatus.seal, 'seal']);
    const oscal = await assay(live(), 'evidence', 'oscal', file);
    expect(oscal.stdout).to.include('"assessment-results"').and.include(pack.seal.pack_hash);
    expect((await assay(live(), 'evidence', 'oscal', changed)).status).to.equal(failureStatus.seal);
    await rm(folder, { recursive: true });
  });

  it('can be verified on a page that runs no script but its own', async () => {
    const page = await fetch(`${live().url}/verify`);
    const [, script] = /<script>([\s\S]*?)<\/script>/.exec(await page.text())!;
    const hash = createHash('sha256').update(script!).digest('base64');
    expect(page.headers.get('content-security-policy')).to.include(`script-src 'sha256-${hash}'`);
    const { verifier } = await seal(await buildTenancy(live()));
    const file = await (await fetch(`${live().url}/verify/verify-pack.mjs`)).text();
    expect(createHash('sha256').update(file).digest('hex')).to.equal(verifier.sha256);
  });

  it('cannot be changed by any role', async () => {
    const tenant = await buildTenancy(live());
    const refused = async (role: 'api' | 'worker' | 'operator', statement: string) => {
      const outcome = inTenant(live().orm(role), tenant, (em) => em.execute(statement));
      return outcome.then(
        () => 'done',
        (error: { code?: string }) => error.code,
      );
    };
    expect(await refused('api', 'select private_sealed from signing_key')).to.equal('42501');
    expect(await refused('worker', 'insert into signing_key (keyid) values (null)')).to.equal('42501');
    for (const role of ['api', 'worker', 'operator'] as const) {
      expect(await refused(role, 'update evidence_pack set sequence = sequence')).to.equal('42501');
      expect(await refused(role, 'delete from evidence_pack')).to.equal('42501');
    }
  });
});
