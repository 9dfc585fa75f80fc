/** A value's form without its contents, so that the responses of two nodes can be compared. */
export function shapeOf(value: unknown): unknown {
  if (value === null || value === undefined) return 'nothing';
  if (value instanceof Uint8Array) return `${value.length} bytes`;
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (typeof value === 'bigint') return 'number';
  if (typeof value === 'string') return shapeOfText(value);
  if (typeof value !== 'object') return typeof value;
  const { toBase58 } = value as { toBase58?: unknown };
  if (typeof toBase58 === 'function') return 'address';
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, shapeOf(item)]));
}

function shapeOfText(text: string): string {
  if (!text.startsWith('0x')) return 'text';
  if (text === '0x') return 'no data';
  if (/^0x[0-9a-f]{40}$/i.test(text)) return 'address';
  // Nodes write the parts of a signature without zeros at the start.
  if (/^0x[0-9a-f]{60,64}$/i.test(text)) return 'word';
  return /^0x(0|[1-9a-f][0-9a-f]*)$/i.test(text) && text.length < 40 ? 'quantity' : 'data';
}

/** The part of a shape that another shape has too: real nodes return more fields. */
export function partOf(real: unknown, mock: unknown): unknown {
  if (Array.isArray(real) && Array.isArray(mock)) {
    return mock.map((item, index) => partOf(real[index], item));
  }
  if (!isRecord(real) || !isRecord(mock)) return real;
  return Object.fromEntries(
    Object.keys(mock).map((name) => [name, partOf(real[name], mock[name])]),
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
