import { expect } from 'chai';
import { buildTenancy } from '../../support/build.ts';
import { clientOf } from '../../support/client.ts';
import { createEvent } from '../../support/event.ts';
import { createObligation } from '../../support/obligation.ts';
import { onOneBackend } from '../../support/live.ts';
import { eventually } from '../../support/runs.ts';

onOneBackend('GET /events', (live) => {
  it('200 lets a consumer continue from its last cursor without missing an event', async () => {
    const tenancy = await buildTenancy(live());
    const client = clientOf(live(), tenancy.key);
    const uids = [await createEvent(live(), tenancy), await createEvent(live(), tenancy)];
    const first = (await client.get('/events?limit=1')).body;
    expect(first.data.map((each: { uid: string }) => each.uid)).to.deep.equal([uids[0]]);
    uids.push(await createEvent(live(), tenancy));
    const rest = (await client.get(`/events?after_sequence=${first.data[0].sequence}`)).body;
    expect(rest.data.map((each: { uid: string }) => each.uid)).to.deep.equal(uids.slice(1));
    expect((await client.get(`/events/${uids[2]}`)).body).to.deep.equal(rest.data[1]);
  });

  it('200 returns an event shortly after the change that the event reports, and filters by type, record and time', async () => {
    const tenancy = await buildTenancy(live());
    const client = clientOf(live(), tenancy.key);
    const before = new Date().toISOString();
    const obligation = await createObligation(live(), tenancy);
    await createEvent(live(), tenancy);
    const find = async (query: string) => (await client.get(`/events?${query}`)).body.data;
    const [event] = await eventually(async () => {
      const found = await find('type=obligation.registered');
      return found.length > 0 && found;
    });
    expect(event.subject).to.include({ type: 'obligation', uid: obligation });
    expect(await find(`subject_uid=${obligation}`)).to.deep.equal([event]);
    expect(await find(`type=obligation.registered&from=${before}`)).to.deep.equal([event]);
    expect(await find(`type=obligation.registered&before=${before}`)).to.deep.equal([]);
  });

  it('200 returns only events of records that the credential may read', async () => {
    const tenancy = await buildTenancy(live());
    const uid = await createEvent(live(), tenancy);
    const scopes = ['workspace:read', 'actions:read'];
    const narrow = await buildTenancy(live(), { workspace: tenancy.workspace, scopes });
    const client = clientOf(live(), narrow.key);
    expect((await client.get('/events')).body.data).to.deep.equal([]);
    expect((await client.get('/events?type=run.cancelled')).body.data).to.deep.equal([]);
    expect((await client.get(`/events/${uid}`)).status).to.equal(404);
    const stranger = await buildTenancy(live());
    expect((await clientOf(live(), stranger.key).get(`/events/${uid}`)).status).to.equal(404);
  });
});
