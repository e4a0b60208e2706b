import { BlockList, isIP } from 'node:net';

/**
 * Addresses that are not on the public internet, by the IANA special-purpose registries (RFC 6890): private, local,
 * shared, reserved, documentation, test and multicast addresses. In IPv6, only 2000::/3 is public, except for addresses
 * that embed an IPv4 address (NAT64, 6to4, Teredo) or are reserved.
 */
const special = listOf([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/3',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '2620:4f:8000::/48',
  '3fff::/20',
  '4000::/2',
  '8000::/1',
]);

/**
 * Networks in CIDR notation, one list per IP version. In a single list, an IPv6 block could match every IPv4 address as
 * a mapped address.
 */
export type Networks = { readonly v4: BlockList; readonly v6: BlockList };

/** Parses networks such as `127.0.0.0/8,fd00::/8`. Throws if a network is not valid. */
export function networksOf(text: string): Networks {
  return listOf(text.split(',').filter((each) => each !== ''));
}

/**
 * Whether a connection to the address is allowed, because the address is public or in one of the networks. An address
 * with a zone is never allowed: in `fe80::1%eth0`, the zone names an interface of this machine.
 */
export function mayReach(address: string, networks: Networks): boolean {
  return (
    isIP(address) !== 0 && !address.includes('%') && (isIn(networks, address) || !isIn(special, address))
  );
}

/** Whether an address is in one of the networks. An address with a zone is in no network. */
export function isIn({ v4, v6 }: Networks, address: string): boolean {
  if (address.includes('%')) return false;
  const plain = isIP(address) === 6 ? (mappedIn(address) ?? address) : address;
  return isIP(plain) === 6 ? v6.check(plain, 'ipv6') : v4.check(plain, 'ipv4');
}

/**
 * Returns the key by which the requests of a caller's address are counted: an IPv4 address in its normal form, or the
 * /64 of an IPv6 address. A caller with one address of a /64 usually controls all addresses of that /64.
 */
export function addressKey(address: string): string {
  const [plain = ''] = address.split('%');
  if (isIP(plain) !== 6) return address;
  const mapped = mappedIn(plain);
  if (mapped !== undefined) return mapped;
  const [head = '', tail] = new URL(`http://[${plain}]/`).hostname.slice(1, -1).split('::');
  const [groups, behind] = [head, tail ?? ''].map((part) => part.split(':').filter((each) => each !== ''));
  const zeros = tail === undefined ? 0 : 8 - groups!.length - behind!.length;
  return [...groups!, ...Array.from({ length: zeros }, () => '0'), ...behind!].slice(0, 4).join(':');
}

/**
 * Returns the IPv4 address embedded in a mapped address such as `::ffff:10.0.0.1`, in any notation; undefined for other
 * addresses.
 */
function mappedIn(address: string): string | undefined {
  const canonical = new URL(`http://[${address}]/`).hostname;
  const found = /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/.exec(canonical);
  if (!found) return undefined;
  const [high, low] = [parseInt(found[1]!, 16), parseInt(found[2]!, 16)];
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

function listOf(networks: readonly string[]): Networks {
  const lists = { v4: new BlockList(), v6: new BlockList() };
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const family = isIP(address);
    if (family === 0 || address.includes('%') || !/^\d{1,3}$/.test(bits ?? ''))
      throw new Error(`${network} is not a network`);
    if (family === 6) lists.v6.addSubnet(address, Number(bits), 'ipv6');
    else lists.v4.addSubnet(address, Number(bits), 'ipv4');
  }
  return lists;
}
