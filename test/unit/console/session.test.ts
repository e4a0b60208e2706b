import { expect } from 'chai';
import type { Context } from 'koa';
import { decideOpening, type LinkFacts } from '#lib/access/console/session.ts';
import { isConsoleSecret, newConsoleSecret } from '#lib/access/console/session-secret.ts';
import {
  cookieFor,
  formToken,
  isFormToken,
  presentedFlow,
  setFlow,
  setSession,
} from '#api/console/session-cookie.ts';
import { ownHosts } from '#api/console/requests.ts';
import { duration } from '#api/console/format.ts';

const now = new Date('2026-11-24T12:00:00Z');
const link: LinkFacts = {
  expiresAt: new Date('2026-11-24T12:00:01Z'),
  usedAt: null,
  personState: 'active',
};

describe('sessions of the console', () => {
  it('are opened by a link once, before it expires, for an active person', () => {
    const decide = (change: Partial<LinkFacts>) => {
      const verdict = decideOpening({ ...link, ...change }, { now });
      return verdict.ok ? 'open' : verdict.code;
    };
    expect(decide({})).to.equal('open');
    expect(decide({ usedAt: now })).to.equal('link_used');
    expect(decide({ expiresAt: now })).to.equal('link_expired');
    expect(decide({ personState: 'suspended' })).to.equal('person_not_active');
    expect(decide({ personState: 'departed' })).to.equal('person_not_active');
  });

  it('have secrets of 256 bits, and other texts are not accepted as secrets', () => {
    const secret = newConsoleSecret();
    expect(isConsoleSecret(secret)).to.equal(true);
    for (const text of ['', secret.slice(1), `${secret}0`, secret.replace(/.$/, '-')])
      expect(isConsoleSecret(text), text).to.equal(false);
  });

  it('accept a form token only of the same session and action', () => {
    const [one, other] = [newConsoleSecret(), newConsoleSecret()];
    expect(isFormToken(one, 'sign-out', formToken(one, 'sign-out'))).to.equal(true);
    expect(isFormToken(one, 'approve', formToken(one, 'sign-out'))).to.equal(false);
    expect(isFormToken(one, 'sign-out', formToken(other, 'sign-out'))).to.equal(false);
    expect(isFormToken(one, 'sign-out', '')).to.equal(false);
  });

  it('have cookies over HTTPS that no other host of the domain can set, also for a sign-in in progress', () => {
    const secret = newConsoleSecret();
    const lines: string[] = [];
    const keep = (_name: string, line: string) => lines.push(line);
    const ctx = { set: keep, append: keep } as unknown as Context;
    const cookie = cookieFor('https://console.example');
    setSession(ctx, cookie, secret);
    setFlow(ctx, cookie, secret);
    expect(lines).to.deep.equal([
      `__Host-assay=${secret}; Path=/; HttpOnly; SameSite=Strict; Secure`,
      `__Host-assay-oidc=${secret}; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=600`,
    ]);
    const presented = (header: string) => presentedFlow({ get: () => header } as unknown as Context, cookie);
    expect(presented(`a=b; __Host-assay-oidc=${secret}`)).to.equal(secret);
    for (const other of ['__Secure-assay-oidc', 'assay-oidc', '__host-assay-oidc'])
      expect(presented(`${other}=${secret}`), other).to.equal(undefined);
  });

  it('are reached at the host of the console, or at loopback addresses if no URL is configured', () => {
    const own = ownHosts('https://console.example');
    expect(
      ['console.example', 'CONSOLE.example', 'evil.example', 'console.example:8443'].map(own),
    ).to.deep.equal([true, true, false, false]);
    const loopback = ownHosts(undefined);
    expect(
      ['localhost:3010', '127.0.0.1:3010', '[::1]:3010', 'rebound.example:3010', '127.0.0.1.example', ''].map(
        loopback,
      ),
    ).to.deep.equal([true, true, true, false, false, false]);
  });
});

describe('formats of the console', () => {
  it('write durations in the unit that fits', () => {
    const from = '2026-11-24T12:00:00.000Z';
    expect(duration(from, '2026-11-24T12:00:03.900Z')).to.equal('3.9 s');
    expect(duration(from, '2026-11-24T12:05:00.000Z')).to.equal('5 min');
    expect(duration(from, '2026-11-24T15:00:00.000Z')).to.equal('3.0 h');
    expect(duration(from, null)).to.equal('–');
  });
});
