import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { build } from 'esbuild';
import { chromium as playwright } from 'playwright-core';
import { type CheckResult, type Runtime, SUITE_TIMEOUT_MS, type Surroundings } from './runtime.js';

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const PAGE =
  '<!doctype html><title>suite</title><link rel="icon" href="data:,"><script type="module" src="/suite.js"></script>';

function find(): string | undefined {
  try {
    return execFileSync('sh', ['-c', 'command -v chromium'], { encoding: 'utf8' }).trim();
  } catch {
    return undefined;
  }
}

function findOrInstall(): string {
  const found = find();
  if (found !== undefined) return found;
  if (process.getuid?.() !== 0) throw new Error('chromium is not on PATH; only root installs it');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  execFileSync('apt-get', ['update', '-q'], { env, stdio: 'pipe' });
  execFileSync('apt-get', ['install', '-y', '-q', 'chromium'], { env, stdio: 'pipe' });
  const installed = find();
  if (installed === undefined) throw new Error('chromium is not there after its installation');
  return installed;
}

/** Serves the page and the bundled suite on this machine: an origin other than the sandbox's. */
async function servePage(suite: string): Promise<{ url: string; stop: () => void }> {
  const { outputFiles } = await build({
    entryPoints: [join(suite, 'page.mjs')],
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    write: false,
    logLevel: 'error',
  });
  const script = outputFiles[0]?.text ?? '';
  const server = createServer((request, response) => {
    const isScript = request.url === '/suite.js';
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    response.end(isScript ? script : PAGE);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const stop = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url, stop };
}

async function runInPage(
  executablePath: string,
  url: string,
  surroundings: Surroundings,
): Promise<readonly CheckResult[]> {
  // Playwright gives each browser an empty user data directory of its own.
  const browser = await playwright.launch({ executablePath, headless: true, args: FLAGS });
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(SUITE_TIMEOUT_MS);
    await page.goto(url);
    await page.waitForFunction('typeof globalThis.runSuite === "function"');
    return await page.evaluate<readonly CheckResult[]>(
      `globalThis.runSuite(${JSON.stringify(surroundings)})`,
    );
  } finally {
    await browser.close();
  }
}

/** Debian's Chromium, driven by playwright-core. */
export const chromium: Runtime = {
  name: 'chromium',
  isRequiredInCi: true,
  prepare: () => {
    const file = findOrInstall();
    const said = execFileSync(file, ['--version'], { encoding: 'utf8', stdio: 'pipe' });
    const [version = 'unknown'] = /\d+\.[\d.]+/.exec(said) ?? [];
    return {
      version,
      run: async (suite, surroundings) => {
        const { url, stop } = await servePage(suite);
        try {
          // Chromium sends any method again when a connection that it reused breaks (docs/reliability.md).
          return await runInPage(file, url, { ...surroundings, isBrowser: true, resends: true });
        } finally {
          stop();
        }
      },
    };
  },
};
