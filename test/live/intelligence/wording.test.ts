import { expect } from 'chai';
import { createLog } from '#lib/core/log.ts';
import { openGateway } from '#lib/ai/provider/gateway.ts';
import { inTenant } from '#lib/database/orm.ts';
import { listAudit } from '#lib/audit/audit-entry.query.ts';
import { findConnection } from '#lib/ai/connection.write.ts';
import { chooseWording } from '#lib/intelligence/choose-wording.command.ts';
import { writeWordings } from '../../../workers/intelligence/summary-wording.ts';
import { createAiConnection, SMALL, WRAPPING_KEY } from '../../support/ai-connection.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { doneAs, governAs } from '../../support/command.ts';
import { clientOf } from '../../support/client.ts';
import { onOneBackend } from '../../support/live.ts';
import { createConflict, createObligation } from '../../support/obligation.ts';
import { slowed } from '../../support/patience.ts';
import { openProvider, status, well, type ReceivedRequest, type Provider } from '../../support/provider.ts';

const TEXT = 'Disputed obligations: 1. Also to attend to: 1.';

/**
 * Writes a text with slots that the request offers: first the slot of the disputed obligations, then all other required
 * slots.
 */
function written(user: string): string {
  const slots: { slot: string; key: string; required?: boolean }[] = JSON.parse(user).slots;
  const disputed = slots.find(({ key }) => key === 'obligations_disputed')!.slot;
  const required = slots.filter((each) => each.required === true && each.slot !== disputed);
  return [
    `Disputed obligations: ${disputed}.`,
    ...required.map(({ slot }) => `Also to attend to: ${slot}.`),
  ].join(' ');
}

onOneBackend('The wording of the intelligence summary', (live) => {
  let tenancy: Tenancy;
  let provider: Provider;
  let connection: string;
  const gateway = openGateway({ networks: '127.0.0.0/8', timeoutMs: slowed(2_000), retryAfterMs: 5 });

  before(async () => {
    provider = await openProvider();
  });
  after(async () => {
    await provider.close();
    await gateway.close();
  });
  beforeEach(async () => {
    tenancy = await buildTenancy(live());
    connection = await createAiConnection(live(), tenancy, { baseUrl: provider.baseUrl });
    await createConflict(live(), tenancy);
  });
  // `writeWordings` processes every workspace. The chosen connection and model are removed, so that the next test does
  // not process this workspace.
  afterEach(() => choose(null));

  const choose = (choice: { connection: string; model: string } | null) =>
    doneAs(live(), tenancy.person, chooseWording, {
      workspace: tenancy.workspace,
      environment: tenancy.environment,
      ...choice,
      findConnection,
    });
  const write = () =>
    writeWordings({
      orm: live().orm('worker'),
      gateway,
      key: WRAPPING_KEY,
      log: createLog('test', 'silent'),
    });
  const actionsOf = async (key = tenancy.key) =>
    (await clientOf(live(), key).get('/intelligence/summary')).body.sections.find(
      (section: { key: string }) => section.key === 'actions',
    );
  const saying = (text: (user: string) => string) =>
    well({
      answer: ({ body }: ReceivedRequest) =>
        isActions(body) ? text(body['messages'][1].content) : 'Nothing.',
    });
  const isActions = (body: Record<string, any>) =>
    JSON.parse(body['messages'][1].content).domain === 'actions';

  it('uses a model that a person chose from the models of a connection', async () => {
    const refused = await governAs(live(), tenancy.person, chooseWording, {
      workspace: tenancy.workspace,
      environment: tenancy.environment,
      connection,
      model: 'another',
      findConnection,
    });
    expect(refused).to.deep.include({ ok: false, code: 'model_not_allowed' });
    await choose({ connection, model: SMALL });
    await choose(null);
    const entries = await inTenant(live().orm('operator'), tenancy, (em) =>
      listAudit(em, { op: 'ai.wording_set', limit: 20 }),
    );
    expect(entries.map(({ entry }) => [entry.actor.uid, entry.details]).toReversed()).to.deep.equal([
      [tenancy.person, { connection, model: SMALL }],
      [tenancy.person, { connection: null, model: null }],
    ]);
  });

  it('is requested only if the workspace allows it, and shown only if it describes exactly the shown facts', async () => {
    provider.answers(saying(written));
    expect(await write()).to.equal(0);
    expect((await actionsOf()).wording).to.equal(null);
    expect(provider.requested).to.deep.equal([]);

    await choose({ connection, model: SMALL });
    expect(await write()).to.be.above(0);
    expect((await actionsOf()).wording).to.include({ text: TEXT, model: SMALL, connection_uid: connection });
    const requested = provider.requested.length;
    expect(await write(), 'an existing wording is not requested again').to.equal(0);
    expect(provider.requested).to.have.lengthOf(requested);
    const { body } = await clientOf(live(), tenancy.key).get('/ai/byok/usage?days=1');
    expect(body.totals.requests).to.equal(requested);

    const clerk = await buildTenancy(live(), {
      workspace: tenancy.workspace,
      scopes: ['intelligence:read', 'investment:read'],
    });
    expect((await actionsOf(clerk.key)).wording).to.equal(null);
    await createObligation(live(), tenancy);
    expect((await actionsOf()).wording, 'the facts are others now').to.equal(null);
  });

  it('is removed as soon as the workspace disables it', async () => {
    provider.answers(saying(written));
    await choose({ connection, model: SMALL });
    await write();
    expect((await actionsOf()).wording).to.include({ text: TEXT });
    await choose(null);
    expect((await actionsOf()).wording).to.equal(null);
  });

  it('is omitted if the provider fails or a number is not in the section, while the facts remain', async () => {
    for (const answering of [saying(() => 'There are 17 disputed obligations.'), status(500)]) {
      tenancy = await buildTenancy(live());
      connection = await createAiConnection(live(), tenancy, { baseUrl: provider.baseUrl });
      await createConflict(live(), tenancy);
      await choose({ connection, model: SMALL });
      provider.answers(answering);
      await write();
      const { wording, metrics, status: reported } = await actionsOf();
      expect([wording, reported]).to.deep.equal([null, 'ok']);
      expect(metrics.find(({ key }: { key: string }) => key === 'obligations_disputed').value).to.equal(1);
      await choose(null);
    }
  });
});
