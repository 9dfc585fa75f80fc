import { existsSync, mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Consumer, installInto, packDist } from '../test/package/packed.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const NAME = 'card-platform-sdk';
/** Each checkout has a folder of its own, because two may be measured on the same machine. */
const FOLDER = join(tmpdir(), `${NAME}-bench${ROOT.replaceAll(/[^\w]+/g, '-')}`);
const STAMP = join(FOLDER, 'installed');

/** The package as npm installs it, without other packages. */
export const PACKED = {
  /** The folder of a project that depends on the package. */
  project: FOLDER,
  /** The installed package. */
  folder: join(FOLDER, 'node_modules', NAME),
};

const changedAt = (file: string) => (existsSync(file) ? statSync(file).mtimeMs : 0);

/** Packs `dist` and installs the tarball, unless the installed one is newer than the build. */
export function installPackedPackage(): void {
  if (changedAt(STAMP) < changedAt(join(ROOT, 'dist', 'index.d.ts'))) {
    rmSync(FOLDER, { recursive: true, force: true });
    mkdirSync(FOLDER, { recursive: true });
    const { tarball }: { tarball: string } = packDist(FOLDER);
    const consumer: Consumer = installInto(FOLDER, tarball, false);
    writeFileSync(STAMP, consumer.folder);
  }
}

/** Lets the modules in `contestants/` import the installed package by its name. */
export function linkPackedPackage(): void {
  const link = join(ROOT, 'bench', 'node_modules', NAME);
  rmSync(link, { recursive: true, force: true });
  symlinkSync(PACKED.folder, link, 'dir');
}
