const GROUP = /^[\da-f]{1,4}$/i;
const BYTES = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;

/** Whether a text is an IPv4 address in the one spelling that all parsers read: 4 decimal numbers. */
export function isIpv4(text: string): boolean {
  return BYTES.test(text);
}

/** Whether a text is an IPv6 address of RFC 3986, without brackets. */
export function isIpv6(text: string): boolean {
  const start = text.lastIndexOf(':') + 1;
  // An IPv4 address may stand for the last two groups.
  const whole = isIpv4(text.slice(start)) ? `${text.slice(0, start)}0:0` : text;
  const halves = whole.split('::');
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')));
  const isWhole = halves.length === 1 ? groups.length === 8 : groups.length < 8;
  return halves.length < 3 && isWhole && groups.every((group) => GROUP.test(group));
}
