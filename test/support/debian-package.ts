import { execFileSync } from 'node:child_process';

/**
 * Installs a package of Debian, which root may do, and who may become root without a password.
 *
 * @throws what `apt-get` or `sudo` says when it does not work
 */
export function installDebianPackage(name: string): void {
  const asRoot = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
  const run = (...words: string[]) => {
    const [program = '', ...args] = [...asRoot, ...words];
    execFileSync(program, args, { stdio: 'pipe' });
  };
  run('apt-get', 'update', '-q');
  run('env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', 'install', '-y', '-q', name);
}

/**
 * Installs a program for the tests of the stores where that is allowed. Returns why there is none,
 * or an empty string.
 *
 * @throws on CI, which must run these tests
 */
export function whyNotInstalled(name: string, isInstalled: () => boolean): string {
  if (isInstalled()) return '';
  console.warn(`The tests of the stores install ${name} with apt-get.`);
  try {
    installDebianPackage(name);
  } catch {
    // The next line says so.
  }
  if (isInstalled()) return '';
  const line = `Tests of the stores are skipped: ${name} is not installed.`;
  if (process.env['CI'] !== undefined) throw new Error(`${line} CI must run them.`);
  return line;
}
