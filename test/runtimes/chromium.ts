import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { build } from 'esbuild';
import { findChromium, launchChromium } from '../support/chromium.js';
import { type CheckResult, type Runtime, SUITE_TIMEOUT_MS, type SuiteOptions } from './runtime.js';

const PAGE =
  '<!doctype html><title>suite</title><link rel="icon" href="data:,"><script type="module" src="/suite.js"></script>';

/** Serves the page and the bundled suite on this machine, on another origin than the sandbox. */
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

async function runInPage(url: string, suiteOptions: SuiteOptions): Promise<readonly CheckResult[]> {
  const browser = await launchChromium();
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(SUITE_TIMEOUT_MS);
    await page.goto(url);
    await page.waitForFunction('typeof globalThis.runSuite === "function"');
    return await page.evaluate<readonly CheckResult[]>(
      `globalThis.runSuite(${JSON.stringify(suiteOptions)})`,
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
    const file = findChromium();
    const output = execFileSync(file, ['--version'], { encoding: 'utf8', stdio: 'pipe' });
    const [version = 'unknown'] = /\d+\.[\d.]+/.exec(output) ?? [];
    return {
      version,
      run: async (suite, suiteOptions) => {
        const { url, stop } = await servePage(suite);
        try {
          // Chromium resends any method when a reused connection breaks (docs/evidence/reliability.md).
          return await runInPage(url, { ...suiteOptions, isBrowser: true, resends: true });
        } finally {
          stop();
        }
      },
    };
  },
};
