/** Returns a deep copy of plain data. React Native has no `structuredClone`. */
export function copyData<T>(data: T): T;
export function copyData(data: unknown): unknown {
  if (Array.isArray(data)) return data.map((one: unknown) => copyData(one));
  if (typeof data !== 'object' || data === null) return data;
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, copyData(value)]));
}
