const MAX_KEY_LENGTH = 60;

// A key may be any text that a caller or a server chose, so make it safe for a message.
function printable(path: string): string {
  return path.slice(0, MAX_KEY_LENGTH * 4).replace(/[^\x20-\x7e]/g, '?');
}

/** The path of a value for a message: short and printable, whatever its keys are. */
export function shownPath(keys: readonly string[]): string {
  return printable(keys.map((key) => key.slice(0, MAX_KEY_LENGTH)).join('.'));
}
