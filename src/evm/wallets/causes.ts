const DEEPEST = 5;

/** What is read of one foreign error. */
export type Cause = { readonly name: string; readonly code: unknown; readonly message: string };

/** An error and what it wraps: wallets and their libraries wrap one another's errors. */
export function causesOf(error: unknown): Cause[] {
  const found: Cause[] = [];
  let current = error;
  for (let depth = 0; depth < DEEPEST && typeof current === 'object' && current !== null; depth++) {
    const { name, code, message, cause, data, error: inner } = current as Record<string, unknown>;
    found.push({ name: text(name), code, message: text(message) });
    current = cause ?? inner ?? (data as { originalError?: unknown } | undefined)?.originalError;
  }
  return found;
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
