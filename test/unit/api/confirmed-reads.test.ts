import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import Koa, { type Context } from 'koa';
import { createAccess } from '#api/http/access.ts';
import { problemAnswers } from '#api/http/problem.ts';
import { newApiKey } from '#lib/access/api-key.ts';
import { createLog } from '#lib/core/log.ts';
import type { Caller, Operation } from '#lib/core/operation.ts';
import { Problem } from '#lib/core/problem.ts';
import { serviceClassLimits } from '#lib/database/base.ts';
import { createLocalRates } from '#lib/limits/local-rates.ts';
import { quotasOf } from '#lib/limits/policy.ts';

const OPERATION = { key: 'thing.get', method: 'GET', scope: 'quant:models:read' } as unknown as Operation;
const { key: KEY } = newApiKey('sandbox');

type Read = (ctx: Context, caller: Caller) => Promise<void>;

/** An error of PostgreSQL with a code, as the cause of an error of the ORM. */
const failed = (code: string) => new Error('failed', { cause: Object.assign(new Error(code), { code }) });

describe('A read for a caller that was admitted before', () => {
  let url: string;
  let stop: () => void;
  /** The answer of the database about the caller. */
  let admission: Record<string, unknown>;
  let asked: number;
  let read: Read;
  let reads: number;
  let used: number;

  before(async () => {
    const app = new Koa();
    const access = createAccess({
      ask: async () => {
        asked += 1;
        return [admission];
      },
      quotas: quotasOf(serviceClassLimits),
      rates: createLocalRates(1, () => 0),
      onUse: () => (used += 1),
    });
    const handle = async (ctx: Context) => {
      reads += 1;
      await read(ctx, ctx.state['caller'] as Caller);
    };
    app
      .use(problemAnswers(createLog('test', 'silent')))
      .use(access(OPERATION, handle))
      .use(handle);
    const server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    stop = () => server.close();
  });
  after(() => stop());

  beforeEach(async () => {
    admission = admitted('w1');
    read = answer;
    await get();
    [asked, reads, used] = [0, 0, 0];
  });

  function admitted(workspace: string, refusal: string | null = null) {
    const words = { scopes: OPERATION.scope, granted: null, entitlements: OPERATION.scope, status: 'active' };
    const names = { credential_uid: 'c', application_uid: 'a', workspace_uid: workspace };
    const versions = `${workspace} ${refusal}`;
    return {
      ...words,
      ...names,
      environment: 'sandbox',
      service_class: 'standard',
      refusal,
      move_state: null,
      versions,
    };
  }

  const answer: Read = async (ctx, { workspace }) => {
    ctx.status = 200;
    ctx.body = { workspace };
  };
  /** Reads in a transaction that confirms the caller. */
  const confirmed: Read = async (ctx, caller) => {
    expect(caller.confirmation?.take()?.values.at(-1)).to.equal('w1 null');
    expect(caller.confirmation?.take(), 'a second transaction').to.equal(undefined);
    caller.confirmation?.confirm();
    await answer(ctx, caller);
  };

  async function get() {
    const sent = await fetch(url, { headers: { authorization: `Bearer ${KEY}` } });
    return {
      status: sent.status,
      headers: sent.headers,
      body: (await sent.json()) as Record<string, unknown>,
    };
  }

  it('asks nothing if its transaction confirms the caller', async () => {
    read = confirmed;
    const { status, body, headers } = await get();
    expect([status, body]).to.deep.equal([200, { workspace: 'w1' }]);
    expect(headers.get('ratelimit')).to.match(/"application";r=\d+/);
    expect([asked, reads, used]).to.deep.equal([0, 1, 1]);
  });

  it('asks after the work if no transaction confirms the caller', async () => {
    expect((await get()).body).to.deep.equal({ workspace: 'w1' });
    expect([asked, reads, used]).to.deep.equal([1, 1, 1]);
  });

  it('discards the answer if the caller has changed, and reads again as the new caller', async () => {
    read = async (ctx, caller) => {
      ctx.set(`x-${caller.workspace}`, 'read');
      await answer(ctx, caller);
    };
    admission = admitted('w2');
    const { status, body, headers } = await get();
    expect([status, body]).to.deep.equal([200, { workspace: 'w2' }]);
    expect([headers.has('x-w1'), headers.has('x-w2')]).to.deep.equal([false, true]);
    expect([reads, used]).to.deep.equal([2, 1]);
    admission = admitted('w2');
    expect((await get()).body, 'the new caller is remembered').to.deep.equal({ workspace: 'w2' });
    expect(reads).to.equal(3);
  });

  it('discards the answer if the caller is refused now', async () => {
    admission = admitted('w1', 'invalid_token');
    const { status, body } = await get();
    expect([status, body['code'], 'workspace' in body]).to.deep.equal([401, 'invalid_token', false]);
    expect([reads, used]).to.deep.equal([1, 0]);
  });

  it('does not show a refused caller why the work failed', async () => {
    admission = admitted('w1', 'application_inactive');
    read = () => Promise.reject(new Problem('not_found', 'There is no such thing.'));
    expect((await get()).body['code']).to.equal('application_inactive');
  });

  it('shows a caller that did not change why the work failed, and does the work once', async () => {
    read = () => Promise.reject(new Problem('not_found', 'There is no such thing.'));
    expect((await get()).status).to.equal(404);
    expect([asked, reads, used]).to.deep.equal([1, 1, 1]);
  });

  it('admits the caller again if the transaction says that the caller has changed', async () => {
    read = async (ctx, caller) => {
      if (caller.confirmation) throw failed('28000');
      await answer(ctx, caller);
    };
    expect((await get()).body).to.deep.equal({ workspace: 'w1' });
    expect([asked, reads, used]).to.deep.equal([1, 2, 1]);
  });

  it('admits the caller first if the read waits', async () => {
    const sent = await fetch(`${url}?wait=5`, { headers: { authorization: `Bearer ${KEY}` } });
    expect(sent.status).to.equal(200);
    expect([asked, reads, used]).to.deep.equal([1, 1, 1]);
  });
});
