import { rename, rm, writeFile } from 'node:fs/promises';

/** The end of the name of a file that is not complete. */
export const PARTIAL = '.partial';

/**
 * Writes a file that nobody ever sees in part: under another name first, then renamed. Only the user
 * who runs the command can read it.
 */
export async function writeWhole(path: string, text: string): Promise<void> {
  const partial = `${path}${PARTIAL}`;
  try {
    await writeFile(partial, text, { mode: 0o600, flush: true });
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}
