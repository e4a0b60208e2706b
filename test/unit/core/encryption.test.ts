import { expect } from 'chai';
import { decrypt, encrypt, encryptionKey } from '#lib/core/encryption.ts';

describe('encryption at rest', () => {
  const key = encryptionKey(undefined, 'password of the operator');

  it('decrypts to the original value, and gives a different ciphertext for each encryption', () => {
    const [first, second] = [encrypt('secret', key, 'per_1'), encrypt('secret', key, 'per_1')];
    expect(decrypt(first, key, 'per_1')).to.equal('secret');
    expect(first).to.not.equal(second).and.not.include('secret');
  });

  it('fails to decrypt with another key, for another record or if a bit has changed', () => {
    const sealed = encrypt('secret', key, 'per_1');
    expect(() => decrypt(sealed, encryptionKey(undefined, 'another'), 'per_1')).to.throw();
    expect(() => decrypt(sealed, key, 'per_2')).to.throw();
    const bytes = Buffer.from(sealed.slice(3), 'base64url');
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes);
      changed[at]! ^= 1;
      expect(() => decrypt(`v1.${changed.toString('base64url')}`, key, 'per_1'), String(at)).to.throw();
    }
    expect(() => decrypt(sealed.replace('v1', 'v2'), key, 'per_1')).to.throw(/unknown encryption format/);
  });

  it('uses the configured key, or else derives a key from the password', () => {
    const given = Buffer.alloc(32, 7).toString('base64');
    expect(encryptionKey(given, 'x')).to.deep.equal(Buffer.alloc(32, 7));
    expect(encryptionKey(undefined, 'a'))
      .to.have.lengthOf(32)
      .and.not.deep.equal(encryptionKey(undefined, 'b'));
  });
});
