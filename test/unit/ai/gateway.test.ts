import { expect } from 'chai';
import { openGateway, type Gateway, type GatewayOptions } from '#lib/ai/provider/gateway.ts';
import { slowed } from '../../support/patience.ts';
import {
  garbage,
  hanging,
  openProvider,
  status,
  streaming,
  USAGE,
  well,
  type Provider,
} from '../../support/provider.ts';
import { eventually } from '../../support/runs.ts';

const REQUESTED = { model: 'small', system: 'Be brief.', user: 'How are things?', outputTokensMax: 100 };
const REPORTED = {
  inputTokens: 1_000,
  outputTokens: 500,
  cacheReadInputTokens: 200,
  cacheCreationInputTokens: null,
  reasoningOutputTokens: 100,
};

describe('a call to the provider of a language model', () => {
  let provider: Provider;
  let gateway: Gateway;
  let opened: Gateway[];

  before(async () => {
    provider = await openProvider();
  });
  after(() => provider.close());
  beforeEach(() => {
    opened = [];
    gateway = open();
  });
  afterEach(() => Promise.all(opened.map((each) => each.close())));

  const open = (options: Partial<GatewayOptions> = {}) => {
    const made = openGateway({
      networks: '127.0.0.0/8',
      timeoutMs: slowed(10_000),
      retryAfterMs: 10,
      ...options,
    });
    opened.push(made);
    return made;
  };
  const access = (more: object = {}) => ({
    connection: 'aic_1',
    baseUrl: provider.baseUrl,
    apiKey: 'sk-canary',
    ...more,
  });
  const chat = (through = gateway, more: object = {}) => through.chat(access(more), REQUESTED);

  it('sends the key and a token limit, and returns the text, the model and the numbers of tokens', async () => {
    provider.answers(well());
    expect(await chat()).to.deep.include({
      ok: true,
      text: 'All is well.',
      model: 'small-2026-11-01',
      usage: REPORTED,
      mayBeBilled: true,
      attempts: 1,
      status: 200,
    });
    const [requested] = provider.requested;
    expect(requested).to.include({ path: '/v1/chat/completions', authorization: 'Bearer sk-canary' });
    expect(requested!.body).to.include({ model: 'small', max_tokens: 100, temperature: 0, stream: false });
  });

  it('returns the text and the numbers of tokens of a streamed answer', async () => {
    provider.answers(streaming());
    expect(await chat()).to.deep.include({ ok: true, text: 'All is well.', model: 'small', usage: REPORTED });
  });

  it('returns null for missing or impossible numbers of tokens', async () => {
    const unlikely = [null, {}, { ...USAGE, prompt_tokens: -1 }, { ...USAGE, completion_tokens: '5' }];
    const tooMuchCached = { ...USAGE, prompt_tokens_details: { cached_tokens: 1_001 } };
    for (const usage of [...unlikely, { ...USAGE, prompt_tokens: 1.5 }, tooMuchCached]) {
      provider.answers(well({ usage }));
      expect(await chat(), JSON.stringify(usage)).to.deep.include({ ok: true, usage: null });
    }
  });

  it('counts as possibly billed, and returns the numbers of tokens reported so far, if the connection is lost', async () => {
    provider.answers(streaming({ isCut: true }));
    expect(await chat()).to.deep.include({ ok: false, code: 'cut_off', usage: REPORTED, mayBeBilled: true });
    provider.answers(streaming({ isCut: true, usage: null }));
    expect(await chat()).to.deep.include({ ok: false, code: 'cut_off', usage: null });
  });

  it('ends at its time limit, before the answer or during the answer', async () => {
    for (const isBegun of [false, true]) {
      provider.answers(hanging({ isBegun }));
      expect(await chat(open({ timeoutMs: slowed(300) }))).to.deep.include({
        ok: false,
        code: 'timed_out',
        usage: null,
        mayBeBilled: true,
        attempts: 1,
      });
    }
  });

  it('is retried exactly once after 429 and 5xx', async () => {
    for (const code of [429, 500, 503]) {
      provider.answers(status(code), well());
      expect(await chat(), `${code}`).to.include({ ok: true, attempts: 2 });
      provider.answers(status(code));
      expect(await chat(), `${code}`).to.include({
        ok: false,
        attempts: 2,
        status: code,
        mayBeBilled: false,
      });
      expect(provider.requested).to.have.lengthOf(2);
    }
  });

  it('waits before the retry as long as the provider requests, but is not retried if the wait exceeds the time limit', async () => {
    provider.answers(status(429, { 'retry-after': '1' }), well());
    const slow = await chat();
    expect(slow).to.include({ ok: true, attempts: 2 });
    expect(slow.latencyMs).to.be.at.least(1_000);
    provider.answers(status(429, { 'retry-after': '3600' }), well());
    expect(await chat()).to.include({ ok: false, code: 'rate_limited', attempts: 1 });
  });

  it('is not retried after a redirect or a 4xx other than 429', async () => {
    for (const [code, word] of [
      [400, 'refused'],
      [401, 'unauthorized'],
      [302, 'refused'],
      [404, 'refused'],
    ] as const) {
      provider.answers(status(code, { location: 'http://127.0.0.1:1/' }));
      expect(await chat(), `${code}`).to.include({ ok: false, code: word, attempts: 1 });
    }
  });

  it('fails for a malformed answer and for an answer of more than one mebibyte', async () => {
    for (const body of [
      '',
      'no json',
      '[]',
      '{"choices":[]}',
      '{"choices":[{"message":{"content":7}}]}',
      'null',
    ]) {
      provider.answers(garbage(body));
      expect(await chat(open()), body).to.include({ ok: false, code: 'invalid_answer', mayBeBilled: true });
    }
    provider.answers(garbage('x'.repeat(2_000_000)));
    expect(await chat()).to.include({ ok: false, code: 'too_large' });
  });

  it('is not sent after repeated failures until a pause has passed, separately for each connection', async () => {
    const careful = open({ breaker: { failures: 2, openMs: 3_600_000 } });
    provider.answers(garbage('x'));
    for (const code of ['invalid_answer', 'invalid_answer', 'circuit_open', 'circuit_open']) {
      expect(await chat(careful)).to.include({ code });
    }
    expect(provider.requested).to.have.lengthOf(2);
    expect(await chat(careful, { connection: 'aic_2' })).to.include({ code: 'invalid_answer' });
    const brief = open({ breaker: { failures: 2, openMs: 50 } });
    for (const _ of ['first', 'second']) expect(await chat(brief)).to.include({ code: 'invalid_answer' });
    provider.answers(well());
    await eventually(async () => (await chat(brief)).ok);
    expect(provider.requested).to.have.lengthOf(1);
  });

  it('is not sent to an address that is not public, whether given as an IP address or as a name', async () => {
    provider.answers(well());
    const port = new URL(provider.baseUrl).port;
    const closed = open({ networks: '' });
    const literal = [
      `http://127.0.0.1:${port}/v1`,
      `https://[::ffff:127.0.0.1]:${port}/v1`,
      'https://169.254.169.254/v1',
      'https://[fd00::1]/v1',
      'https://10.0.0.1/v1',
      'https://2130706433/v1',
    ];
    for (const baseUrl of literal) {
      expect(await chat(closed, { baseUrl, connection: baseUrl }), baseUrl).to.include({
        code: 'address_refused',
        mayBeBilled: false,
      });
    }
    const named = open({
      networks: '',
      resolve: (_name, done) =>
        done(null, [
          { address: '93.184.215.14', family: 4 },
          { address: '127.0.0.1', family: 4 },
        ]),
    });
    expect(await chat(named, { baseUrl: `https://provider.example:${port}/v1` })).to.include({
      code: 'address_refused',
    });
    expect(await chat(gateway, { baseUrl: `http://localhost:${port}/v1` })).to.include({
      code: 'address_refused',
    });
    expect(provider.requested).to.deep.equal([]);
  });

  it('is reported as not billed if the provider cannot be reached', async () => {
    expect(await chat(gateway, { baseUrl: 'http://127.0.0.1:1/v1' })).to.include({
      ok: false,
      code: 'unreachable',
      status: null,
      mayBeBilled: false,
    });
  });
});
