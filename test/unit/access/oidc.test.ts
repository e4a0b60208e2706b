import { expect } from 'chai';
import { generateKeyPairSync } from 'node:crypto';
import { pageAfterSignIn } from '#lib/access/console/page-after-sign-in.ts';
import { newConsoleSecret } from '#lib/access/console/session-secret.ts';
import { clientKeyOf } from '#lib/access/oidc/client-key.ts';
import { flowTexts } from '#lib/access/oidc/flow.ts';
import { openProvider, type OidcProvider } from '#lib/access/oidc/provider.ts';
import { ANSWER_BYTES_MAX } from '#lib/access/oidc/provider-fetch.ts';
import { oidcSettings, type OidcSettings } from '#lib/access/oidc/settings.ts';
import { systemClock } from '#lib/core/clock.ts';
import { readConfig } from '#lib/core/config.ts';
import { FORGER_CLIENT, openForger, type Forged, type Forger } from '../../support/oidc-forger.ts';

const CLIENT_SECRET = 'a secret of the client, 32 bytes';
const REDIRECT = 'https://console.example/console/sign-in/oidc/callback';

const settingsFor = (issuer: string, change: Partial<OidcSettings> = {}): OidcSettings => ({
  issuer,
  clientId: FORGER_CLIENT,
  secret: CLIENT_SECRET,
  key: undefined,
  name: 'Acme',
  algorithm: 'RS256',
  acr: [],
  networks: '127.0.0.0/8',
  ...change,
});

describe('the ID token of an identity provider', () => {
  let forger: Forger;
  let provider: OidcProvider;
  let secret: string;

  before(async () => {
    forger = await openForger();
    provider = openProvider(settingsFor(forger.issuer), { clock: systemClock });
  });
  after(async () => {
    await provider.close();
    await forger.close();
  });
  beforeEach(() => {
    secret = newConsoleSecret();
  });

  const seconds = () => Math.floor(Date.now() / 1_000);
  const claims = (change: Record<string, unknown> = {}) => ({
    iss: forger.issuer,
    sub: 'ann',
    aud: FORGER_CLIENT,
    iat: seconds(),
    exp: seconds() + 300,
    auth_time: seconds(),
    nonce: flowTexts(secret).nonce,
    ...change,
  });
  const answerUrl = (change: Record<string, string> = {}) => {
    const url = new URL(REDIRECT);
    for (const [name, value] of Object.entries({ code: 'c0de', state: flowTexts(secret).state, ...change }))
      if (value !== '') url.searchParams.append(name, value);
    return url;
  };
  const outcome = async (forged: Forged, { by = provider, url = answerUrl() } = {}) => {
    forger.answers(forged);
    const claimed = await by.claim(url, secret);
    return claimed.ok ? claimed.claimed.subject : claimed.code;
  };

  it('is accepted if the provider signed it for this client and this flow', async () => {
    forger.answers({ claims: claims({ acr: 'urn:mfa', amr: ['pwd', 'otp', 7] }) });
    const accepted = await provider.claim(answerUrl(), secret);
    expect(accepted).to.deep.equal({
      ok: true,
      claimed: { issuer: forger.issuer, subject: 'ann', acr: 'urn:mfa', amr: ['pwd', 'otp'] },
    });
    const { verifier } = flowTexts(secret);
    expect(forger.exchanged.at(-1)).to.include({ code_verifier: verifier, redirect_uri: REDIRECT });
  });

  it('is refused with another issuer, audience, authorized party, nonce or subject', async () => {
    const changes: Record<string, unknown>[] = [
      { iss: 'https://evil.example' },
      { aud: 'another-client' },
      { aud: [FORGER_CLIENT, 'another-client'] },
      { aud: [FORGER_CLIENT, 'another-client'], azp: 'another-client' },
      { azp: 'another-client' },
      { nonce: 'another' },
      { nonce: undefined },
      { nonce: flowTexts(newConsoleSecret()).nonce },
      { sub: '' },
      { sub: undefined },
      { sub: 'x'.repeat(256) },
      { sub: 'ann\n' },
    ];
    for (const change of changes)
      expect(await outcome({ claims: claims(change) }), JSON.stringify(change)).to.equal('token_invalid');
  });

  it('is refused after it expired, if it was issued in the future, and if the sign-in is too old', async () => {
    for (const change of [
      { exp: seconds() - 60 },
      { exp: undefined },
      { iat: seconds() + 120 },
      { nbf: seconds() + 120 },
      { auth_time: seconds() - 900 },
      { auth_time: seconds() + 120 },
      { auth_time: undefined },
    ])
      expect(await outcome({ claims: claims(change) }), JSON.stringify(change)).to.equal('token_invalid');
    const skewed = { iat: seconds() + 10, auth_time: seconds() + 10 };
    expect(await outcome({ claims: claims(skewed) }), 'clocks may differ by 30 s').to.equal('ann');
  });

  it('is refused without a signature, with a secret as key, and with the key of somebody else', async () => {
    const other = generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey;
    const published = forger.publicKey.export({ type: 'spki', format: 'pem' }).toString();
    const forgeries: Record<string, Omit<Forged, 'claims'>> = {
      'no signature': { header: { alg: 'none', kid: undefined } },
      'the secret of the client': { header: { alg: 'HS256' }, key: CLIENT_SECRET },
      'the public key as a secret': { header: { alg: 'HS256' }, key: published },
      'another key under the same id': { key: other },
      'an unknown key id': { header: { kid: 'k2' } },
      'another algorithm in the header': { header: { alg: 'RS512' } },
    };
    for (const [name, how] of Object.entries(forgeries))
      expect(await outcome({ claims: claims(), ...how }), name).to.equal('token_invalid');
  });

  it('is not requested for an answer with a foreign, missing or repeated state', async () => {
    const before = forger.exchanged.length;
    const repeated = answerUrl();
    repeated.searchParams.append('state', flowTexts(secret).state);
    for (const url of [answerUrl({ state: 'forged' }), answerUrl({ state: '' }), repeated])
      expect(await outcome({ claims: claims() }, { url }), url.search).to.equal('token_invalid');
    expect(forger.exchanged.length, 'no code was exchanged').to.equal(before);
  });

  it('is not requested if the answer names another issuer, or none although the provider names itself', async () => {
    const before = forger.exchanged.length;
    const foreign = answerUrl({ iss: 'https://evil.example' });
    expect(await outcome({ claims: claims() }, { url: foreign })).to.equal('token_invalid');
    const naming = await openForger({ authorization_response_iss_parameter_supported: true });
    const by = openProvider(settingsFor(naming.issuer), { clock: systemClock });
    expect(await outcome({ claims: claims() }, { by })).to.equal('token_invalid');
    expect([forger.exchanged.length, naming.exchanged.length]).to.deep.equal([before, 0]);
    await by.close();
    await naming.close();
  });

  it('must state a required authentication context', async () => {
    const by = openProvider(settingsFor(forger.issuer, { acr: ['urn:mfa', 'urn:hardware'] }), {
      clock: systemClock,
    });
    const url = await by.authorizationUrl(secret, REDIRECT);
    expect(url.searchParams.get('acr_values')).to.equal('urn:mfa urn:hardware');
    for (const acr of [undefined, 'urn:password', ['urn:mfa']])
      expect(await outcome({ claims: claims({ acr }) }, { by }), String(acr)).to.equal('token_invalid');
    expect(await outcome({ claims: claims({ acr: 'urn:hardware' }) }, { by })).to.equal('ann');
    await by.close();
  });

  it('reports the error of a provider that refuses the person', async () => {
    const url = answerUrl({ code: '', error: 'access_denied' });
    expect(await outcome({ claims: claims() }, { url })).to.equal('provider_refused');
  });

  it('is requested with a signature if the client has a private key', async () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const by = openProvider(settingsFor(forger.issuer, { secret: undefined, key }), { clock: systemClock });
    expect(await outcome({ claims: claims() }, { by })).to.equal('ann');
    expect(forger.exchanged.at(-1)).to.have.property('client_assertion');
    expect(forger.exchanged.at(-1)).to.not.have.property('client_secret');
    await by.close();
    const weak = generateKeyPairSync('rsa', { modulusLength: 1_024 }).privateKey;
    const error = await clientKeyOf(weak.export({ type: 'pkcs8', format: 'pem' }).toString()).catch(
      (thrown: Error) => thrown.message,
    );
    expect(error).to.include('at least 2048 bits');
  });
});

describe('requests to an identity provider', () => {
  it('carry a challenge, and neither the secret of the flow nor the verifier', async () => {
    const forger = await openForger();
    const provider = openProvider(settingsFor(forger.issuer), { clock: systemClock });
    const secret = newConsoleSecret();
    const url = await provider.authorizationUrl(secret, REDIRECT);
    expect(Object.fromEntries(url.searchParams)).to.include({
      client_id: FORGER_CLIENT,
      response_type: 'code',
      scope: 'openid',
      code_challenge_method: 'S256',
      max_age: '300',
      redirect_uri: REDIRECT,
    });
    expect(url.href).to.not.include(secret).and.to.not.include(flowTexts(secret).verifier);
    await provider.authorizationUrl(newConsoleSecret(), REDIRECT);
    expect(forger.requested, 'the metadata is loaded once').to.deep.equal([
      '/.well-known/openid-configuration',
    ]);
    await provider.close();
    await forger.close();
  });

  it('go to no private address, follow no redirect, and end with an answer that is too large or late', async () => {
    const forger = await openForger();
    const discovery = '/.well-known/openid-configuration';
    const attempt = async (change: Partial<OidcSettings> = {}, options = {}) => {
      const provider = openProvider(settingsFor(forger.issuer, change), { clock: systemClock, ...options });
      const claimed = await provider.claim(new URL(REDIRECT), newConsoleSecret());
      await provider.close();
      return claimed.ok ? 'ok' : claimed.code;
    };
    expect(await attempt({ networks: '' })).to.equal('provider_unreachable');
    expect(forger.requested, 'nothing was sent').to.deep.equal([]);
    const resolve = (_name: string, done: (error: null, found: object[]) => void) =>
      done(null, [{ address: '10.0.0.1', family: 4 }]);
    expect(await attempt({ issuer: 'https://idp.example' }, { resolve })).to.equal('provider_unreachable');

    const elsewhere = await openForger();
    forger.route(discovery, (response) => {
      response.writeHead(302, { location: `${elsewhere.issuer}${discovery}` }).end();
    });
    expect(await attempt()).to.equal('provider_unreachable');
    expect(elsewhere.requested).to.deep.equal([]);
    await elsewhere.close();
    forger.route(discovery, (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(`{"issuer": "${'x'.repeat(ANSWER_BYTES_MAX)}"}`);
    });
    expect(await attempt()).to.equal('provider_unreachable');
    forger.route(discovery, () => undefined);
    expect(await attempt({}, { timeoutMs: 200 })).to.equal('provider_unreachable');
    await forger.close();
  });

  it('go to no endpoint in a private network that the metadata names', async () => {
    const forger = await openForger({ token_endpoint: 'http://169.254.169.254/token' });
    const provider = openProvider(settingsFor(forger.issuer), { clock: systemClock });
    const claimed = await provider.claim(new URL(REDIRECT), newConsoleSecret());
    expect(claimed.ok ? 'ok' : claimed.code).to.equal('provider_unreachable');
    await provider.close();
    await forger.close();
  });
});

describe('the page after sign-in', () => {
  it('is a page of the console, and the overview for any other address', () => {
    for (const own of ['/console', '/console/runs', '/console/runs?kind=forecast&page=2', '/console?x=1'])
      expect(pageAfterSignIn(own)).to.equal(own);
    for (const other of [
      undefined,
      '',
      'https://evil.example/console',
      '//evil.example/console',
      '/\\evil.example',
      '/console\\..\\..\\evil',
      '/console/../../evil.example',
      '/console/..//evil.example',
      '/console//../..//evil.example',
      '/consoles',
      '/console@evil.example',
      '/console/\t/evil.example',
      '/console/sign-in',
      '/console/sign-out',
      'javascript:alert(1)',
      '/api/v2/quant',
      `/console/${'x'.repeat(1_000)}`,
    ])
      expect(pageAfterSignIn(other), other).to.equal('/console');
  });
});

describe('the settings of an identity provider', () => {
  const settings = (given: Record<string, string>) =>
    oidcSettings(readConfig(given)).then(
      (found) => found?.issuer ?? 'none',
      (error: Error) => error.message,
    );
  const complete = { OIDC_ISSUER: 'https://idp.example', OIDC_CLIENT_ID: 'assay' };

  it('are optional, and complete or refused', async () => {
    expect(await settings({})).to.equal('none');
    expect(await settings({ OIDC_ISSUER: 'https://idp.example' })).to.include('OIDC_CLIENT_ID');
    expect(await settings(complete)).to.include('either OIDC_CLIENT_SECRET or OIDC_CLIENT_KEY_FILE');
    const secret = { ...complete, OIDC_CLIENT_SECRET: CLIENT_SECRET };
    expect(await settings(secret)).to.equal('https://idp.example');
    expect(await settings({ ...secret, OIDC_CLIENT_KEY_FILE: '/none' })).to.include('either');
    expect(await settings({ ...complete, OIDC_CLIENT_KEY_FILE: '/none' })).to.include('ENOENT');
  });
});
