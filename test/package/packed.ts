import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildPackage } from '../../bench/prepare.js';
import { npm } from '../support/npm.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Optional peers that a consumer may have. */
const PEERS = ['viem', '@solana/web3.js', 'msw'];

/** A folder with the packed package installed, as a consumer has it. */
export type Consumer = {
  folder: string;
  /** Writes a file, runs it with Node and returns what it printed. */
  run: (name: string, source: string) => string;
  /** Writes a file, runs it with Node, which must fail, and returns what it printed as errors. */
  fail: (name: string, source: string) => string;
  /** Writes a file, type-checks it and returns what the compiler printed. */
  check: (name: string, source: string, options: Record<string, unknown>) => string;
};

/** Packs the built package and lists the files of the tarball. */
export function packDist(into: string): { tarball: string; files: string[]; bytes: number } {
  const options = ['--json', '--ignore-scripts', '--pack-destination', into];
  const [packed] = JSON.parse(npm(['pack', ...options], ROOT));
  return {
    tarball: join(into, packed.filename),
    bytes: packed.unpackedSize,
    files: packed.files.map(({ path }: { path: string }) => path).sort(),
  };
}

/** Builds the package if its source has changed since the last build, and packs it. */
export function packPackage(into: string): ReturnType<typeof packDist> {
  buildPackage();
  return packDist(into);
}

/** Installs a tarball into an empty folder, without a network. */
export function installInto(folder: string, tarball: string, withPeers: boolean): Consumer {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"name":"consumer","private":true}');
  npm(['install', '--offline', '--no-audit', '--no-fund', '--omit=peer', tarball], folder);
  if (withPeers) for (const peer of PEERS) linkPeer(folder, peer);
  return {
    folder,
    run: (name, source) => {
      writeFileSync(join(folder, name), source);
      return execFileSync(process.execPath, [name], { cwd: folder, encoding: 'utf8' });
    },
    fail: (name, source) => {
      writeFileSync(join(folder, name), source);
      const options = { cwd: folder, encoding: 'utf8' } as const;
      const { status, stderr } = spawnSync(process.execPath, [name], options);
      if (status === 0) throw new Error(`${name} did not fail`);
      return stderr;
    },
    check: (name, source, options) => checkTypes(folder, name, source, options),
  };
}

function linkPeer(folder: string, peer: string): void {
  const target = join(folder, 'node_modules', peer);
  mkdirSync(dirname(target), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules', peer), target, 'dir');
}

function checkTypes(
  folder: string,
  name: string,
  source: string,
  options: Record<string, unknown>,
): string {
  writeFileSync(join(folder, name), source);
  const compilerOptions = { noEmit: true, strict: true, target: 'es2022', types: [], ...options };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [name] }));
  try {
    const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
    return execFileSync(process.execPath, [tsc, '-p', '.'], { cwd: folder, encoding: 'utf8' });
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}

/** Creates an empty folder for one test file; `remove` deletes it. */
export function temporaryFolder(): { folder: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'card-platform-sdk-'));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
