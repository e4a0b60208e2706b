import { createPublicKey, verify } from 'node:crypto';
import { expect } from 'chai';
import { Webhook as Verifier } from 'standardwebhooks';
import type { Event } from '#lib/events/event.ts';
import { messageOf } from '#lib/events/webhook/message.ts';
import { newSigner, shownOf, signedHeaders } from '#lib/events/webhook/signature.ts';
import { networksOf } from '#lib/core/network-address.ts';
import { urlFault } from '#lib/core/public-agent.ts';

const event: Event = {
  uid: 'evt_01K8XQ5W3ZJ6T9R2M4N7P0QABC',
  type: 'run.sealed',
  sequence: 7,
  occurred_at: '2026-11-21T10:00:00.000Z',
  subject: { type: 'run', uid: 'tfr_1', version: null },
  actor_kind: 'application',
  code: null,
  details: { kind: 'investment.theme-factors' },
};
const body = messageOf(event, { workspace: 'wsp_1', environment: 'sandbox' });

describe('a message to a webhook', () => {
  it('is verified by the Standard Webhooks library only with its secret and without changes', () => {
    const signer = newSigner();
    const { secret } = shownOf(signer);
    const headers = signedHeaders(event.uid, new Date(), body, [signer]);
    expect(new Verifier(secret).verify(body, headers)).to.deep.equal(JSON.parse(body));
    expect(() => new Verifier(shownOf(newSigner()).secret).verify(body, headers)).to.throw(
      'No matching signature',
    );
    expect(() => new Verifier(secret).verify(body.replace('tfr_1', 'tfr_2'), headers)).to.throw();
    expect(() => new Verifier(secret).verify(body, { ...headers, 'webhook-id': 'evt_other' })).to.throw();
  });

  it('is verified with both the old and the new secret while both are valid', () => {
    const [old, fresh] = [newSigner(), newSigner()];
    const headers = signedHeaders(event.uid, new Date(), body, [fresh, old]);
    for (const signer of [old, fresh]) new Verifier(shownOf(signer).secret).verify(body, headers);
    const versions = headers['webhook-signature'].split(' ').map((each) => each.split(',')[0]);
    expect(versions).to.deep.equal(['v1', 'v1a', 'v1', 'v1a']);
  });

  it('is verified with its public key and without the secret', () => {
    const [signer, other] = [newSigner(), newSigner()];
    const headers = signedHeaders(event.uid, new Date(), body, [signer]);
    const signature = headers['webhook-signature'].split(' ')[1]!.replace('v1a,', '');
    const holds = (publicKey: string, text: string) => {
      const x = Buffer.from(publicKey.replace('whpk_', ''), 'base64').toString('base64url');
      const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
      const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`;
      return verify(null, Buffer.from(content), key, Buffer.from(signature, 'base64'));
    };
    const { publicKey } = shownOf(signer);
    expect(publicKey).to.match(/^whpk_[A-Za-z0-9+/]{43}=$/);
    expect(holds(publicKey!, body)).to.equal(true);
    expect(holds(publicKey!, body.replace('tfr_1', 'tfr_2'))).to.equal(false);
    expect(holds(shownOf(other).publicKey!, body)).to.equal(false);
  });

  it('has only the signature with the secret if the webhook has no key pair', () => {
    const [secret] = newSigner().split(' ');
    const headers = signedHeaders(event.uid, new Date(), body, [secret!]);
    new Verifier(secret!).verify(body, headers);
    expect(headers['webhook-signature']).to.match(/^v1,[^ ]+$/);
    expect(shownOf(secret!)).to.deep.equal({ secret, publicKey: null });
  });

  it('is rejected by the Standard Webhooks library more than five minutes after it was signed', () => {
    const signer = newSigner();
    const { secret } = shownOf(signer);
    const headers = signedHeaders(event.uid, new Date(Date.now() - 301_000), body, [signer]);
    expect(() => new Verifier(secret).verify(body, headers)).to.throw('too old');
  });

  it('has the members that CloudEvents and Standard Webhooks require', () => {
    expect(JSON.parse(body)).to.deep.equal({
      specversion: '1.0',
      id: event.uid,
      source: 'urn:assay:wsp_1:sandbox',
      type: 'run.sealed',
      subject: 'run/tfr_1',
      time: event.occurred_at,
      timestamp: event.occurred_at,
      datacontenttype: 'application/json',
      data: event,
    });
  });
});

describe('the URL of a webhook', () => {
  const networks = networksOf('127.0.0.0/8');
  const verdicts: [string, ReturnType<typeof urlFault>][] = [
    ['https://hooks.example.com/assay?a=b', undefined],
    ['https://8.8.8.8/', undefined],
    ['http://127.0.0.1:8080/', undefined],
    ['https://127.1/', undefined],
    ['http://hooks.example.com/', 'url_not_https'],
    ['http://localhost/', 'url_not_https'],
    ['http://8.8.8.8/', 'url_not_https'],
    ['https://10.0.0.1/', 'address_refused'],
    ['https://0x0a000001/', 'address_refused'],
    ['https://167772161/', 'address_refused'],
    ['https://[::1]/', 'address_refused'],
    ['https://[::ffff:10.0.0.1]/', 'address_refused'],
    ['http://169.254.169.254/latest', 'address_refused'],
    ['https://user:pass@hooks.example.com/', 'url_with_credentials'],
    ['ftp://hooks.example.com/', 'url_invalid'],
    ['file:///etc/passwd', 'url_invalid'],
    ['hooks.example.com', 'url_invalid'],
    [`https://hooks.example.com/${'a'.repeat(2_000)}`, 'url_invalid'],
  ];
  for (const [url, fault] of verdicts) {
    it(`${fault ? `is rejected with ${fault}` : 'is accepted'}: ${url.slice(0, 60)}`, () =>
      expect(urlFault(url, networks)).to.equal(fault));
  }
});
