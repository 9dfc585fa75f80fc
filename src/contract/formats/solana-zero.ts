/** Whether a text is 32 zero bytes in base58: the system program, which never holds a token. */
export function isSystemProgram(text: string): boolean {
  return text === '1'.repeat(32);
}
