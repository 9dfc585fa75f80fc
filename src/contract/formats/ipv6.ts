const HEX_GROUP = /^[\da-f]{1,4}$/i;
const BYTE = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const IPV4 = new RegExp(`^${BYTE}(?:\\.${BYTE}){3}$`);

/** Whether a text is an IPv4 address of four decimal numbers: the only spelling that all readers share. */
export function isIpv4(text: string): boolean {
  return IPV4.test(text);
}

/** The last two groups may be written as an IPv4 address. */
function withoutIpv4(text: string): string {
  const start = text.lastIndexOf(':') + 1;
  const tail = text.slice(start);
  if (!isIpv4(tail)) return text;
  const [a = 0, b = 0, c = 0, d = 0] = tail.split('.').map(Number);
  return text.slice(0, start) + [a * 256 + b, c * 256 + d].map((n) => n.toString(16)).join(':');
}

/**
 * Returns an IPv6 address, without brackets, in the spelling of a URL: lower case, and the longest
 * run of zeros left out. `undefined` for any other text.
 */
export function canonicalIpv6(text: string): string | undefined {
  const halves = withoutIpv4(text)
    .split('::')
    .map((half) => (half === '' ? [] : half.split(':')));
  const [head = [], tail] = halves;
  const given = [...head, ...(tail ?? [])];
  const isWhole = tail === undefined ? given.length === 8 : given.length < 8;
  if (halves.length > 2 || !isWhole || !given.every((group) => HEX_GROUP.test(group)))
    return undefined;
  const zeros = new Array<string>(8 - given.length).fill('0');
  const groups = [...head, ...zeros, ...(tail ?? [])].map((group) =>
    Number.parseInt(group, 16).toString(16),
  );
  const whole = groups.join(':');
  const [longest] = (whole.match(/\b0(?::0)+\b/g) ?? []).sort(
    (one, other) => other.length - one.length,
  );
  return longest === undefined
    ? whole
    : whole.replace(new RegExp(`(?:^|:)${longest}(?:$|:)`), '::');
}
