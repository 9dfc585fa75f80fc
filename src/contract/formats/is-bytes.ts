/** Whether a value is a `Uint8Array`. Not `instanceof`: the bytes of a Jest test come from another realm. */
export function isBytes(value: unknown): value is Uint8Array {
  return (
    ArrayBuffer.isView(value) && Object.prototype.toString.call(value) === '[object Uint8Array]'
  );
}
