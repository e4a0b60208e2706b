import { expect } from 'chai';
import { Secret } from 'otpauth';
import { codeAt, enrolmentUri, newCodeSecret, stepOfCode } from '#lib/access/one-time-code.ts';

describe('one-time codes', () => {
  const secret = Secret.fromUTF8('12345678901234567890').base32;

  it('equal the last six digits of the test values in RFC 6238, appendix B', () => {
    const published: [number, string][] = [
      [59, '287082'],
      [1111111109, '081804'],
      [1111111111, '050471'],
      [1234567890, '005924'],
      [2000000000, '279037'],
    ];
    for (const [seconds, code] of published) {
      const at = new Date(seconds * 1_000);
      expect(codeAt(secret, at)).to.equal(code);
      expect(stepOfCode(secret, code, at, 0)).to.equal(Math.floor(seconds / 30));
    }
  });

  it('are accepted only within one time step of the current time and only for a later step than the last accepted code', () => {
    const now = new Date(1_700_000_000_000);
    const step = Math.floor(1_700_000_000 / 30);
    const codeOf = (offset: number) => codeAt(secret, new Date(now.getTime() + offset * 30_000));
    for (const offset of [-1, 0, 1])
      expect(stepOfCode(secret, codeOf(offset), now, 0)).to.equal(step + offset);
    for (const offset of [-2, 2, 10]) expect(stepOfCode(secret, codeOf(offset), now, 0)).to.equal(undefined);
    expect(stepOfCode(secret, codeOf(0), now, step)).to.equal(undefined);
    expect(stepOfCode(secret, codeOf(-1), now, step)).to.equal(undefined);
    expect(stepOfCode(secret, codeOf(1), now, step)).to.equal(step + 1);
    for (const noise of ['', '12345', '1234567', 'abcdef'])
      expect(stepOfCode(secret, noise, now, 0)).to.equal(undefined);
  });

  it('use a secret of 160 bits, which authenticator apps read from an otpauth URL', () => {
    expect(Secret.fromBase32(newCodeSecret()).bytes.length).to.equal(20);
    expect(enrolmentUri(secret, 'ann@acme.example')).to.match(
      /^otpauth:\/\/totp\/Assay:ann%40acme.example\?issuer=Assay&secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&algorithm=SHA1&digits=6&period=30$/,
    );
  });
});
