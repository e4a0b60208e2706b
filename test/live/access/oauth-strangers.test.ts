import { expect } from 'chai';
import { startApi, type ApiProcess } from '../../support/api-process.ts';
import { buildTenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { onOneBackend } from '../../support/live.ts';

/** With this rate factor, a client has 12 requests a minute and an address has 60. */
const variables = { TRUST_PROXY: 'true', RATE_LIMIT_FACTOR: '0.1' };

onOneBackend('an OAuth client whose id is known to strangers', function (live) {
  let api: ApiProcess;
  before(async () => (api = await startApi(live(), variables)));
  after(() => api.stop());

  async function issue() {
    const { application } = await buildTenancy(live());
    const { json } = await assay(live(), 'oauth', 'issue', '--app', application, '--json');
    return json as { client_id: string; client_secret: string };
  }

  const ask = (address: string, client: { client_id: string; client_secret: string }) =>
    fetch(`${api.url}/api/v2/oauth/token`, {
      method: 'POST',
      headers: { 'x-forwarded-for': address },
      body: new URLSearchParams({ grant_type: 'client_credentials', ...client }),
    });

  it('keeps its whole quota while strangers try wrong secrets from other addresses', async () => {
    const client = await issue();
    const wrong = { ...client, client_secret: 'wrong' };
    const strangers = await Promise.all(
      Array.from({ length: 30 }, (_, at) => ask(`198.51.100.${1 + (at % 3)}`, wrong)),
    );
    expect(strangers.map(({ status }) => status)).to.include(401);
    expect(strangers.filter(({ ok }) => ok)).to.deep.equal([]);
    const answer = await ask('203.0.113.7', client);
    expect(answer.status).to.equal(200);
    expect(answer.headers.get('ratelimit')).to.match(/^"address";r=59;t=\d+, "client";r=11;t=5$/);
  });

  it('gets a token from an address that is blocked because strangers failed there', async () => {
    const client = await issue();
    const address = '198.51.100.40';
    let status = 401;
    for (let at = 0; at < 30 && status === 401; at += 1)
      ({ status } = await ask(address, { client_id: `cli_unknown${at}`, client_secret: 'wrong' }));
    expect(status).to.equal(429);
    expect((await ask(address, client)).status).to.equal(200);
  });

  it('is rejected when its own requests exceed its quota', async () => {
    const client = await issue();
    const statuses: number[] = [];
    for (let at = 0; at < 40 && statuses.at(-1) !== 429; at += 1)
      statuses.push((await ask(`203.0.113.${20 + at}`, client)).status);
    expect(statuses.slice(0, 12)).to.deep.equal(Array(12).fill(200));
    expect(statuses.at(-1)).to.equal(429);
  });
});
