import { isIPv6 } from 'node:net';

/** What counts as one caller's place: an IPv4 address, or the /64 network of an IPv6 address, of which a single machine has all. */
export function networkOf(remoteAddress: string | undefined): string {
  const [address = ''] = (remoteAddress ?? '').split('%');
  const [, mapped] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? [];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(address)) return address === '' ? 'unknown' : address;
  const [head = '', tail] = address.split('::');
  const [before, after] = [groupsOf(head), groupsOf(tail ?? '')];
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - before.length - after.length }, () => '0');
  return `${[...before, ...zeros, ...after].slice(0, 4).map((group) => parseInt(group, 16).toString(16)).join(':')}::/64`;
}

function groupsOf(text: string): string[] {
  return text === '' ? [] : text.split(':');
}
