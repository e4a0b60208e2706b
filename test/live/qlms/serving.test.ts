import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { approveQlmVersion } from '#lib/qlms/registry/approve-version.command.ts';
import { changeQlmServing } from '#lib/qlms/registry/change-serving.command.ts';
import { forgetQuestions } from '#workers/qlms/forget-questions.ts';
import { callTool } from '../../support/agent.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { clientOf } from '../../support/client.ts';
import { governAs } from '../../support/command.ts';
import { importSampleEconomics } from '../../support/import.ts';
import { onOneBackend } from '../../support/live.ts';
import { addPerson } from '../../support/policy-record.ts';
import {
  createQuestionModel,
  economicProfile,
  importOneCase,
  servingQuestionModel,
} from '../../support/qlm.ts';
import { asSuperuser } from '../../support/rows.ts';

const QUESTION = 'What was real GDP in Q4 2024?';

onOneBackend('A question model that serves', (live) => {
  let tenancy: Tenancy;
  let model: string;

  before(async () => {
    tenancy = await buildTenancy(live());
    await importSampleEconomics(live(), tenancy.workspace);
    model = await servingQuestionModel(live(), tenancy, {
      ...economicProfile,
      vocabulary: { 'economics.GDPC1': ['real GDP'], 'economics.VIXCLS': ['VIX'] },
    });
  });

  const ask = (body: object) => clientOf(live(), tenancy.key).post(`/qlms/${model}/invoke`, body);

  it('is approved only after a passed evaluation on its gate, and by a second person', async () => {
    const { workspace, person, key } = tenancy;
    const gate = { suite_uid: await importOneCase(live(), tenancy), false_answers_upper_max: 0.1 };
    const version = await createQuestionModel(live(), tenancy, { ...economicProfile, gate });
    const second = await addPerson(live(), workspace);
    const approve = async (by: string) => {
      const outcome = await governAs(live(), by, approveQlmVersion, { version: version.uid });
      return outcome.ok ? 'approved' : outcome.code;
    };
    expect(await approve(second)).to.equal('version_not_evaluated');
    const { status, body } = await clientOf(live(), key).post(`/qlms/${version.modelUid}/evaluate`, {});
    expect([status, body.result.passed, body.result.counts_for_gate]).to.deep.equal([201, true, true]);
    expect(await approve(person)).to.be.oneOf(['approver_is_author', 'approver_is_importer']);
    expect(await approve(second)).to.equal('approved');
  });

  it('gives equal facts, text and result hash for a repeated question, and uses only data that was known', async () => {
    const [first, second] = [await ask({ question: QUESTION }), await ask({ question: QUESTION })];
    const { text, facts, slots, query, result_hash: hash } = first.body;
    expect(first.body.outcome).to.equal('answered');
    const again = second.body;
    expect([again.text, again.facts, again.slots, again.query, again.result_hash]).to.deep.equal([
      text,
      facts,
      slots,
      query,
      hash,
    ]);
    const early = await ask({ question: 'As of 1 January 2020, what was real GDP in Q4 2024?' });
    expect([early.body.outcome, early.body.refusal?.code]).to.deep.equal(['refused', 'not_known_yet']);
    // The names of the series were imported later, so nothing is answered from them.
    const before = await ask({ question: QUESTION, as_of: '2020-01-01' });
    expect([before.body.outcome, before.body.facts]).to.deep.equal(['refused', []]);
  });

  it('asks for clarification with options that can be chosen by number or by words', async () => {
    const { body } = await ask({ question: 'What was the VIX in 2020?' });
    expect(body.clarification.options.map(({ label }: { label: string }) => label)).to.include('mean');
    const byNumber = await ask({ answer_to: body.uid, option: 1 });
    const byWords = await ask({ question: 'the mean', after: body.uid });
    expect([byNumber.body.outcome, byWords.body.outcome]).to.deep.equal(['answered', 'answered']);
    expect(byWords.body.facts).to.deep.equal(byNumber.body.facts);
  });

  it('refuses while it is suspended', async () => {
    const suspended = await servingQuestionModel(live(), tenancy);
    const input = { model: suspended, event: 'suspend' as const, reason: 'A test.' };
    await governAs(live(), tenancy.person, changeQlmServing, input);
    const { status, body } = await clientOf(live(), tenancy.key).post(`/qlms/${suspended}/invoke`, {
      question: QUESTION,
    });
    expect([status, body.code]).to.deep.equal([409, 'qlm_suspended']);
  });

  it('seals answers that replay to the same facts, and whose numbers are checked offline', async () => {
    const { body } = await ask({ question: QUESTION });
    const replayed = await assay(live(), 'replay', body.uid, '--json');
    expect([replayed.status, replayed.json]).to.deep.equal([
      0,
      { uid: body.uid, replayed: true, identical: true, differences: [], result_hash: body.result_hash },
    ]);
    const file = path.join(mkdtempSync(path.join(tmpdir(), 'assay-answer-')), 'answer.json');
    writeFileSync(file, JSON.stringify(body));
    expect((await assay(undefined, 'verify', file)).status).to.equal(0);
    writeFileSync(file, JSON.stringify({ ...body, text: `${body.text} It was 7.` }));
    expect((await assay(undefined, 'verify', file)).status).not.to.equal(0);
  });

  it('replays an evaluation, and says if another release sealed it and the result differs', async () => {
    const cases = [{ id: 'a', tags: [], question: QUESTION, expect: { outcome: 'answered' } }];
    const { body } = await clientOf(live(), tenancy.key).post(`/qlms/${model}/evaluate`, { cases });
    expect(body.state, JSON.stringify(body)).to.equal('succeeded');
    const same = await assay(live(), 'replay', body.uid, '--json');
    expect(same.json).to.deep.include({ identical: true, differences: [] });
    // An input without a hash of the engine is that of an earlier release. Its sealed result had another version.
    const change = (input: string) =>
      asSuperuser(live(), async (client) => {
        await client.query('set session_replication_role = replica');
        await client.query(`update run set input = ${input} where uid = $1`, [body.uid]);
      });
    await change(`jsonb_set(input::jsonb, '{version}', '9')`);
    expect((await assay(live(), 'replay', body.uid)).stderr).to.match(/^replay_differs: /);
    await change(`input::jsonb - 'engine_hash'`);
    const earlier = await assay(live(), 'replay', body.uid, '--json');
    expect(earlier.json).to.include({ identical: false, engine_changed: true });
    expect(earlier.stderr).to.match(/^engine_changed: another release sealed the run/);
  });

  it('replays an answer, and says if another release sealed it and the answer differs', async () => {
    const { body } = await ask({ question: QUESTION });
    expect(body.engine_hash).to.match(/^[0-9a-f]{64}$/);
    const change = (members: string) =>
      asSuperuser(live(), async (client) => {
        await client.query('set session_replication_role = replica');
        await client.query(`update qlm_answer set members = ${members} where uid = $1`, [body.uid]);
      });
    // An answer without a hash of the engine is that of an earlier release.
    await change(`members::jsonb - 'engine_hash'`);
    expect((await assay(live(), 'replay', body.uid, '--json')).json).to.deep.equal({
      uid: body.uid,
      replayed: true,
      identical: true,
      differences: [],
      result_hash: body.result_hash,
    });
    await change(`jsonb_set(members::jsonb, '{text}', '"The value was another one."')`);
    const earlier = await assay(live(), 'replay', body.uid, '--json');
    expect(earlier.json).to.deep.include({ identical: false, differences: ['text'], engine_changed: true });
    expect(earlier.stderr).to.match(/^engine_changed: another release sealed the answer/);
    await change(`jsonb_set(members::jsonb, '{engine_hash}', '"${body.engine_hash}"')`);
    expect((await assay(live(), 'replay', body.uid)).stderr).to.match(/^replay_differs: /);
  });

  it('answers as a tool within the scopes of the caller, and stores nothing', async () => {
    const stored = async () => (await clientOf(live(), tenancy.key).get(`/qlms/${model}/answers`)).body.data;
    const before = (await stored()).length;
    const given = { uid: model, question: QUESTION };
    const full = await callTool(live(), tenancy.key, 'ask_qlm', given);
    const { workspace } = tenancy;
    const narrow = await buildTenancy(live(), { workspace, scopes: ['agents:mcp:read', 'qlm:invoke'] });
    const shut = await callTool(live(), narrow.key, 'ask_qlm', given);
    expect([full.status, shut.status], JSON.stringify([full.body, shut.body]).slice(0, 900)).to.deep.equal([
      200, 200,
    ]);
    const [open, closed] = [full, shut].map(({ body }) => body.result.structuredContent);
    expect([open.outcome, open.sealed, open.facts.length]).to.deep.equal(['answered', false, 1]);
    expect([closed.outcome, closed.refusal.code, closed.facts]).to.deep.equal([
      'refused',
      'not_entitled',
      [],
    ]);
    expect((await stored()).length).to.equal(before);
  });

  it('writes the text of a question to no other table and to no log (I-186)', async () => {
    const canary = 'zorblaxian';
    const { body } = await ask({ question: `What was the ${canary} in 2020?` });
    expect(body.outcome).to.equal('refused');
    const holding = await asSuperuser(live(), async (client) => {
      const { rows } = await client.query<{ name: string }>(
        `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
         where n.nspname = 'public' and c.relkind = 'r'`,
      );
      const found: string[] = [];
      for (const { name } of rows) {
        const held = await client.query(`select 1 from "${name}" x where x::text like $1 limit 1`, [
          `%${canary}%`,
        ]);
        if (held.rows.length > 0) found.push(name);
      }
      return found;
    });
    expect(holding).to.deep.equal(['qlm_question']);
    const logs = readdirSync(live().logDirectory).map((name) =>
      readFileSync(path.join(live().logDirectory, name), 'utf8'),
    );
    expect(logs.length).to.be.above(0);
    expect(logs.filter((text) => text.includes(canary))).to.have.length(0);
  });

  it('keeps the text of a question only until its retention period ends', async () => {
    const { body } = await ask({ question: QUESTION });
    const kept = () =>
      asSuperuser(live(), async (client) => {
        const { rows } = await client.query(`select 1 from qlm_question where answer_uid = $1`, [body.uid]);
        return rows.length;
      });
    await forgetQuestions(live().orm('worker'));
    expect(await kept()).to.equal(1);
    await forgetQuestions(live().orm('worker'), new Date(Date.now() + 91 * 86_400_000));
    expect(await kept()).to.equal(0);
    const read = await clientOf(live(), tenancy.key).get(`/qlms/${model}/answers/${body.uid}`);
    expect([read.status, read.body.question]).to.deep.equal([200, null]);
  });
});
