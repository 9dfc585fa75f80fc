import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { CACHE } from '../runtimes/cache.js';
import { npm } from '../support/npm.js';

// Rehearses a release of the last commit, as docs/evidence/releasing.md and release.yml describe it:
// the owner and the version are written, the jobs' commands run in a clone, the tarball is published to a
// registry on this machine, and five package managers install it from there.
//
// `npm run test:release`. It needs the npm registry, and takes some minutes.

const VERSION = '1.0.0';
const TAG = `v${VERSION}`;
const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));

const folder = mkdtempSync(join(tmpdir(), 'release-'));
const clone = join(folder, 'clone');
const tarballs = join(folder, 'tarballs');

function say(step: string): void {
  console.log(`--- ${step}`);
}

function fail(message: string): never {
  throw new Error(message);
}

/** Runs a line of a shell, and fails with what it printed. */
function shell(command: string, cwd: string, env: NodeJS.ProcessEnv = {}): string {
  const { status, stdout, stderr } = spawnSync('bash', ['-euo', 'pipefail', '-c', command], {
    cwd,
    env: { ...process.env, ...env },
    encoding: 'utf8',
  });
  return status === 0 ? stdout : fail(`${command}\n${stdout}\n${stderr}`);
}

const read = (path: string) => readFileSync(join(clone, path), 'utf8');

/** Returns the commands of one job of the release workflow. */
function commandsOf(job: string): string[] {
  const [, after = ''] = read('.github/workflows/release.yml').split(`\n  ${job}:\n`);
  const [body = ''] = after.split(/^ {2}\S/m);
  return [...body.matchAll(/^ +(?:- )?run: (.+)$/gm)].map(([, command = '']) => command);
}

/** Returns the command of the guide that sets the owner of the repository. */
function ownerCommand(): string {
  const [, command] = /`(sed -i [^`]*OWNER[^`]+)`/.exec(read('docs/evidence/releasing.md')) ?? [];
  return command ?? fail('the guide has no command for the owner');
}

/** Writes owner, version and date as the guide says, and commits them under a tag. */
function prepareRelease(): void {
  shell(`git clone --quiet ${JSON.stringify(REPOSITORY)} clone`, folder);
  const [install = ''] = commandsOf('build');
  if (install !== 'npm ci --ignore-scripts') fail(`the first command of the job is ${install}`);
  shell(install, clone);

  say('a tag with the placeholder OWNER is refused');
  const refused = spawnSync('npx', ['tsx', 'scripts/check-release.ts', TAG], { cwd: clone });
  if (refused.status === 0) fail('the placeholder was not refused');

  say('owner, version and date');
  shell(ownerCommand(), clone);
  const today = new Date().toISOString().slice(0, 10);
  const heading = '## [Unreleased]\n';
  const changelog = read('CHANGELOG.md').replace(
    heading,
    `${heading}\n## [${VERSION}] - ${today}\n`,
  );
  writeFileSync(join(clone, 'CHANGELOG.md'), changelog);
  shell(`npm version ${VERSION} --no-git-tag-version`, clone);
  shell('npm run --silent generate', clone);
  const left = spawnSync(
    'git',
    [
      'grep',
      '-lE',
      '(com/OWNER/card-platform-sdk|@OWNER$)',
      '--',
      '*.md',
      'package.json',
      '.github',
    ],
    { cwd: clone, encoding: 'utf8' },
  );
  if (left.stdout !== '') fail(`OWNER is left in ${left.stdout}`);
  const git = 'git -c user.name=release -c user.email=release@example.com';
  shell(`${git} commit --quiet --all --message ${TAG} && git tag ${TAG}`, clone);
}

/** Runs the other commands of the job that builds. Returns the tarball. */
function runBuildJob(): string {
  mkdirSync(tarballs);
  for (const command of commandsOf('build').slice(1)) {
    say(command);
    shell(command, clone, { GITHUB_REF_NAME: TAG, RUNNER_TEMP: tarballs });
  }
  const [name = '', ...others] = readdirSync(tarballs);
  if (name !== `card-platform-sdk-${VERSION}.tgz` || others.length > 0) {
    fail(`the job packed ${[name, ...others]}`);
  }
  return join(tarballs, name);
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Installs the registry and the package managers. Returns their folder. */
function installTools(): string {
  const tools = join(CACHE, 'release');
  mkdirSync(tools, { recursive: true });
  copyFileSync(new URL('package.json', import.meta.url), join(tools, 'package.json'));
  npm(['install', '--no-audit', '--no-fund', '--no-package-lock', '--ignore-scripts'], tools);
  // The only one that must be built: its script puts the program for this machine in place.
  shell('node install.js', join(tools, 'node_modules/bun'));
  return join(tools, 'node_modules');
}

/** Starts a registry that has this package only, and takes all others from npm's. */
async function startRegistry(tools: string) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const upstream = npm(['config', 'get', 'registry'], folder).trim();
  const config = `
storage: ${JSON.stringify(join(folder, 'storage'))}
uplinks: { npm: { url: ${JSON.stringify(upstream)} } }
packages:
  card-platform-sdk: { access: $all, publish: $anonymous }
  '**': { access: $all, proxy: npm }
log: { type: stdout, format: json, level: fatal }
`;
  writeFileSync(join(folder, 'registry.yaml'), config);
  const program = join(tools, 'verdaccio/bin/verdaccio');
  const child = spawn(
    process.execPath,
    [program, '--config', 'registry.yaml', '--listen', `127.0.0.1:${port}`],
    { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] },
  );
  let isStopped = false;
  child.on('exit', (code, signal) => {
    if (!isStopped) console.error(`the registry ended with ${code ?? signal}`);
  });
  const isUp = () =>
    fetch(`${url}/-/ping`).then(
      ({ ok }) => ok,
      () => false,
    );
  for (let attempt = 0; !(await isUp()); attempt++) {
    if (attempt > 300) fail('the registry did not start');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const stop = () => {
    isStopped = true;
    child.kill();
  };
  return { url, stop };
}

/** Runs the command of the job that publishes, against this registry. */
async function publish(url: string, tarball: string): Promise<void> {
  const [command = '', ...others] = commandsOf('publish');
  if (others.length > 0) fail('the job that publishes runs more than npm publish');
  const env = {
    GITHUB_REF_NAME: TAG,
    npm_config_registry: url,
    // `npm run --silent` would hide why npm refuses.
    npm_config_loglevel: 'error',
    // npm asks for a login unless it has some token. This registry does not look at it.
    [`npm_config_${url.slice('http:'.length)}/:_authToken`]: 'rehearsal',
    GITHUB_ACTIONS: '',
  };
  say(command);
  // Only a workflow on GitHub can sign: elsewhere npm must refuse to publish without a signature.
  const unsigned = spawnSync('bash', ['-c', command], {
    cwd: tarballs,
    env: { ...process.env, ...env, CI: '' },
    encoding: 'utf8',
  });
  if (unsigned.status === 0 || !/provenance/i.test(unsigned.stderr)) {
    fail(`npm did not refuse to publish without provenance: ${unsigned.stderr}`);
  }
  console.log(unsigned.stderr.split('\n').find((line) => /provenance/i.test(line)));
  say(`${command.replace(' --provenance', '')}, on this machine`);
  shell(command.replace(' --provenance', ''), tarballs, env);

  const response = await fetch(`${url}/card-platform-sdk/${VERSION}`);
  const { dist, scripts } = (await response.json()) as {
    dist: { integrity: string };
    scripts: Record<string, string>;
  };
  const digest = createHash('sha512').update(readFileSync(tarball)).digest('base64');
  if (dist.integrity !== `sha512-${digest}`) fail('the registry has another tarball');
  const atInstall = ['preinstall', 'install', 'postinstall'].filter((name) => name in scripts);
  if (atInstall.length > 0) fail(`the package runs ${atInstall} when it is installed`);
}

/** Returns the first program of the README of the installed package. */
function firstProgram(readme: string): string {
  const [, code] = /```ts\n([^`]+)```/.exec(readme) ?? [];
  return code ?? fail('the README has no first program');
}

/** An example that needs nothing but the package, as one file. */
async function example(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(clone, 'examples/reconcile-worker/main.ts')],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    // The paths of this repository would bundle the sources in place of the package.
    tsconfigRaw: {},
  });
  return outputFiles[0]?.text ?? '';
}

type PackageManager = {
  readonly name: string;
  readonly install: string;
  /** How it runs a program of the folder. Default: `node`. */
  readonly run?: string;
  /** Its settings, beside those of npm. */
  readonly files?: (url: string) => Readonly<Record<string, string>>;
};

function packageManagers(tools: string): readonly PackageManager[] {
  const spec = `card-platform-sdk@${VERSION}`;
  const berry = `node ${join(tools, '@yarnpkg/cli-dist/bin/yarn.js')}`;
  // With a folder of its own, yarn cannot remember the registry of an earlier rehearsal.
  const settings = (url: string, linker: string) => ({
    '.yarnrc.yml': `npmRegistryServer: ${url}\nunsafeHttpWhitelist: ['127.0.0.1']\nnodeLinker: ${linker}\nenableTelemetry: false\nenableGlobalCache: false\nglobalFolder: ./yarn\nnpmMinimalAgeGate: 0\n`,
    'yarn.lock': '',
  });
  return [
    { name: 'npm', install: `npm install ${spec} --no-audit --no-fund` },
    {
      name: 'pnpm',
      install: `node ${join(tools, 'pnpm/bin/pnpm.cjs')} add ${spec} --store-dir ./store`,
    },
    {
      name: 'yarn 1',
      install: `node ${join(tools, 'yarn/bin/yarn.js')} add ${spec} --cache-folder ./cache`,
    },
    {
      name: 'yarn 4',
      install: `${berry} add ${spec}`,
      files: (url) => settings(url, 'node-modules'),
    },
    {
      name: 'yarn 4 with Plug’n’Play',
      install: `${berry} add ${spec}`,
      run: `${berry} node`,
      files: (url) => settings(url, 'pnp'),
    },
    {
      name: 'bun',
      install: `${join(tools, '.bin/bun')} add ${spec}`,
      files: (url) => ({
        'bunfig.toml': `[install]\nregistry = "${url}"\ncache = "./cache"\n`,
      }),
    },
  ];
}

async function installAndRun(manager: PackageManager, url: string, program: string): Promise<void> {
  const { name, install, run = 'node', files = () => ({}) } = manager;
  say(name);
  const app = mkdtempSync(join(folder, 'app-'));
  const written = {
    'package.json': '{ "private": true, "type": "module" }',
    '.npmrc': `registry=${url}\n`,
    'example.mjs': program,
    'first.mjs': firstProgram(read('README.md')),
    ...files(url),
  };
  for (const [file, content] of Object.entries(written)) writeFileSync(join(app, file), content);
  shell(install, app, { npm_config_registry: url, CI: '' });
  const manifest = JSON.parse(readFileSync(join(app, 'package.json'), 'utf8')) as {
    dependencies?: Record<string, string>;
  };
  if (!manifest.dependencies?.['card-platform-sdk']?.includes(VERSION)) {
    fail(`${name} did not add the package`);
  }
  const printed = shell(`${run} first.mjs`, app);
  if (printed.trim() !== 'FROZEN') fail(`the first program printed ${printed}`);
  const { status, stderr } = spawnSync('bash', ['-c', `${run} example.mjs`], {
    cwd: app,
    encoding: 'utf8',
  });
  if (status !== 0) fail(`the example failed: ${stderr}`);
  console.log('installed; the first program of the README and an example ran');
}

try {
  prepareRelease();
  const tarball = runBuildJob();
  const tools = installTools();
  const { url, stop } = await startRegistry(tools);
  try {
    await publish(url, tarball);
    const program = await example();
    for (const manager of packageManagers(tools)) await installAndRun(manager, url, program);
  } finally {
    stop();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
