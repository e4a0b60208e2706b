import { expect } from 'chai';
import { ApiProblem, createClient, type Client } from '#lib/client/client.ts';
import { stubApi, type Scripted, type StubApi } from '../../support/stub-api.ts';

const JOBS = '/quant/compute/jobs';
const TOKEN = '/api/v2/oauth/token';
const page = { data: [], page: { limit: 50, next_cursor: null, has_more: false } };

describe('the API client with OAuth client credentials', () => {
  let api: StubApi;
  /** The access tokens that the stub API accepts. */
  let valid: Set<string>;
  let issued: number;
  let expiresIn: number;
  /** The responses to the first token requests. Every later token request gets a token. */
  let before: Scripted[];

  beforeEach(async () => {
    [valid, issued, expiresIn, before] = [new Set(), 0, 900, []];
    api = await stubApi(({ url, headers }) => {
      if (url === TOKEN) {
        const scripted = before.shift();
        if (scripted) return scripted;
        const access_token = `at_${++issued}`;
        valid.add(access_token);
        return { status: 200, body: { access_token, token_type: 'Bearer', expires_in: expiresIn } };
      }
      const isValid = valid.has((headers['authorization'] ?? '').replace('Bearer ', ''));
      return isValid
        ? { status: 200, body: page }
        : { status: 401, body: { code: 'invalid_token', status: 401 } };
    });
  });

  afterEach(() => api.stop());

  function client(clientId = 'cli:1', scope?: string): Client {
    const retries = { attempts: 3, minMs: 1, maxMs: 100 };
    const options = { baseUrl: api.url, clientId, clientSecret: 's+e/c=ret&% é', retries };
    return createClient(scope === undefined ? options : { ...options, scope });
  }

  const requested = (url: string) => api.seen.filter((each) => each.url.startsWith(url));

  it('requests a token as RFC 6749 defines, and sends the token with its API requests', async () => {
    await client('cli:1', 'quant:compute:read investment:read').GET(JOBS);
    const [request] = requested(TOKEN);
    expect(request!.method).to.equal('POST');
    expect(request!.headers['content-type']).to.match(/^application\/x-www-form-urlencoded/);
    expect(Object.fromEntries(new URLSearchParams(request!.body))).to.deep.equal({
      grant_type: 'client_credentials',
      scope: 'quant:compute:read investment:read',
    });
    const basic = Buffer.from(request!.headers['authorization']!.replace('Basic ', ''), 'base64').toString();
    expect(basic).to.equal('cli%3A1:s%2Be%2Fc%3Dret%26%25+%C3%A9');
    expect(requested('/api/v2/quant')[0]!.headers['authorization']).to.equal('Bearer at_1');
  });

  it('requests one token and uses the token for concurrent and later API requests', async () => {
    const one = client();
    await Promise.all(Array.from({ length: 10 }, () => one.GET(JOBS)));
    await one.GET(JOBS);
    expect(requested(TOKEN)).to.have.lengthOf(1);
    expect(requested('/api/v2/quant')).to.have.lengthOf(11);
  });

  it('requests no scope unless the caller names a scope', async () => {
    await client().GET(JOBS);
    expect(requested(TOKEN)[0]!.body).to.equal('grant_type=client_credentials');
  });

  it('requests a new token shortly before expiry', async () => {
    expiresIn = 0;
    const one = client();
    await one.GET(JOBS);
    await one.GET(JOBS);
    expect(requested(TOKEN)).to.have.lengthOf(2);
  });

  it('requests one new token if several concurrent API requests are rejected because the token was revoked', async () => {
    const one = client();
    await one.GET(JOBS);
    valid.clear();
    await Promise.all(Array.from({ length: 5 }, () => one.GET(JOBS)));
    expect(requested(TOKEN)).to.have.lengthOf(2);
  });

  it('reports the error if the new token is rejected too', async () => {
    const one = client();
    valid.add = () => valid;
    const error = await one.GET(JOBS).catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(ApiProblem).and.to.include({ code: 'invalid_token', status: 401 });
    expect(requested(TOKEN)).to.have.lengthOf(2);
    expect(requested('/api/v2/quant')).to.have.lengthOf(2);
  });

  it('retries the token request after a 503 and reports any other error of the token endpoint with its description', async () => {
    before = [
      { status: 503, headers: { 'retry-after': '0' } },
      { status: 401, body: { error: 'invalid_client', error_description: 'Unknown client.' } },
    ];
    const one = client();
    const error = await one.GET(JOBS).catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(ApiProblem);
    expect(error).to.include({ code: 'invalid_client', status: 401, detail: 'Unknown client.' });
    await one.GET(JOBS);
    expect(requested(TOKEN)).to.have.lengthOf(3);
  });
});
