import { expect } from 'chai';
import { addressKey, isIn, mayReach, networksOf } from '#lib/core/network-address.ts';

const none = networksOf('');

describe('the check of network addresses', () => {
  for (const address of [
    '8.8.8.8',
    '1.1.1.1',
    '172.32.0.1',
    '192.167.255.255',
    '2606:4700::1111',
    '::ffff:8.8.8.8',
  ]) {
    it(`accepts ${address}, which is public`, () => expect(mayReach(address, none)).to.equal(true));
  }

  for (const address of [
    '0.0.0.0',
    '10.0.0.1',
    '100.64.0.1',
    '127.0.0.1',
    '127.255.255.255',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '0:0:0:0:0:ffff:a9fe:a9fe',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::a00:1',
    '2001::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '2620:4f:8000::1',
    '3fff::1',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'fe80::1%eth0',
    'ff02::1',
    'localhost',
    '0x7f000001',
    '',
  ]) {
    it(`rejects ${address || 'an empty text'}, which is not a public address`, () =>
      expect(mayReach(address, none)).to.equal(false));
  }

  it('allows only the addresses of a network that the configuration names', () => {
    const networks = networksOf('127.0.0.0/8,fd00::/8');
    expect(mayReach('127.0.0.1', networks)).to.equal(true);
    expect(mayReach('::ffff:127.0.0.1', networks)).to.equal(true);
    expect(mayReach('fd00::1', networks)).to.equal(true);
    expect(mayReach('10.0.0.1', networks)).to.equal(false);
    expect(mayReach('::1', networks)).to.equal(false);
  });

  it('rejects a configured network that is not in CIDR notation', () => {
    for (const text of ['localhost/8', '10.0.0.0', '10.0.0.0/x', '10.0.0.0/33']) {
      expect(() => networksOf(text), text).to.throw();
    }
  });

  // A zone names a network interface of this machine. A block list does not match an address with a zone.
  for (const address of ['2606:4700::1111%1', '::1%lo', 'fe80::1%eth0', '::ffff:127.0.0.1%1', 'fd00::1%25']) {
    it(`rejects ${address}, which has a zone, even if all networks are allowed`, () => {
      expect(mayReach(address, none)).to.equal(false);
      expect(mayReach(address, networksOf('::/0,0.0.0.0/0'))).to.equal(false);
      expect(isIn(networksOf('::/0,0.0.0.0/0'), address)).to.equal(false);
    });
  }

  it('rejects a configured network with a zone', () => {
    expect(() => networksOf('fe80::1%eth0/64')).to.throw('is not a network');
  });
});

describe('the rate limit key', () => {
  for (const [address, key] of [
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::ffff:c000:207', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:0DB8:1:2::', '2001:db8:1:2'],
    ['2001:db8::5', '2001:db8:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['::1', '0:0:0:0'],
    ['nonsense', 'nonsense'],
  ] as const) {
    it(`of ${address} is ${key}`, () => expect(addressKey(address)).to.equal(key));
  }
});
