import { execFileSync } from 'node:child_process';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { build } from 'esbuild';
import { findChromium, launchChromium } from '../support/chromium.js';
import { EXTENSION_ORIGIN, launchExtension } from '../support/extension.js';
import { findFirefox, launchFirefox } from '../support/firefox.js';
import { type CheckResult, type Runtime, SUITE_TIMEOUT_MS, type SuiteOptions } from './runtime.js';

/** Nothing is allowed but what a page with its scripts needs; above all, no text may become code. */
const STRICT_POLICY =
  "default-src 'none'; script-src 'self'; worker-src 'self'; connect-src http://127.0.0.1:*";

/** The script of each page. All of them end with the suite in a place of its own. */
const STARTERS = {
  page: "import '/suite.js';",
  worker: "new Worker('/suite.js', { type: 'module' });",
  'service-worker': "navigator.serviceWorker.register('/suite.js', { type: 'module' });",
};
type Place = keyof typeof STARTERS;

async function bundle(suite: string, serverUrl: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(suite, 'browser.mjs')],
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    define: { SERVER_URL: JSON.stringify(serverUrl) },
    write: false,
    logLevel: 'error',
  });
  return outputFiles[0]?.text ?? '';
}

/** Serves the pages and the suite on this machine, on another origin than the sandbox. */
async function serve(suiteOptions: SuiteOptions) {
  const files = new Map<string, { type: string; body: string }>();
  let report = (_: readonly CheckResult[]) => {};
  const results = new Promise<readonly CheckResult[]>((resolve) => {
    report = resolve;
  });
  const respond = async (request: IncomingMessage) => {
    if (request.url === '/results') report(JSON.parse(await text(request)));
    return files.get(request.url ?? '') ?? { type: 'text/plain', body: '' };
  };
  const server = createServer(async (request, response) => {
    const { type, body } = await respond(request);
    response.setHeader('content-type', type);
    response.setHeader('content-security-policy', STRICT_POLICY);
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  files.set('/options', { type: 'application/json', body: JSON.stringify(suiteOptions) });
  for (const [place, script] of Object.entries(STARTERS)) {
    const body = `<!doctype html><title>suite</title><script type="module" src="/${place}.js"></script>`;
    files.set(`/${place}`, { type: 'text/html', body });
    files.set(`/${place}.js`, { type: 'text/javascript', body: script });
  }
  const stop = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url, files, results, stop };
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    const error = new Error(`no results within ${SUITE_TIMEOUT_MS / 1_000} s`);
    timer = setTimeout(() => reject(error), SUITE_TIMEOUT_MS);
  });
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}

/** A browser that the suite runs in. */
type TestBrowser = {
  /** Returns the path of its program. */
  find: () => string;
  launch: () => Promise<{
    newPage(): Promise<{ goto(url: string): Promise<unknown> }>;
    close(): Promise<void>;
  }>;
};

const CHROMIUM: TestBrowser = { find: findChromium, launch: launchChromium };
const FIREFOX: TestBrowser = { find: findFirefox, launch: launchFirefox };

/** Browsers resend any method when a reused connection breaks (docs/server/server.md). */
const TRAITS = { isBrowser: true, resends: true };

async function runAt(
  place: Place,
  { launch }: TestBrowser,
  suite: string,
  given: SuiteOptions,
): Promise<readonly CheckResult[]> {
  const { url, files, results, stop } = await serve({ ...given, ...TRAITS });
  try {
    files.set('/suite.js', { type: 'text/javascript', body: await bundle(suite, url) });
    const browser = await launch();
    try {
      const page = await browser.newPage();
      await page.goto(`${url}/${place}`);
      return await inTime(results);
    } finally {
      await browser.close();
    }
  } finally {
    stop();
  }
}

/** Runs the suite in the service worker of an extension (Manifest V3). */
async function runInExtension(suite: string, given: SuiteOptions) {
  const { url, results, stop } = await serve({ ...given, ...TRAITS });
  try {
    const files = { 'worker.js': await bundle(suite, url) };
    const { close } = await launchExtension(files, {
      host_permissions: ['http://127.0.0.1/*'],
      content_security_policy: { extension_pages: STRICT_POLICY },
    });
    try {
      return await inTime(results);
    } finally {
      await close();
    }
  } finally {
    stop();
  }
}

function runtimeOf(
  name: string,
  { find }: TestBrowser,
  run: (suite: string, suiteOptions: SuiteOptions) => Promise<readonly CheckResult[]>,
): Runtime {
  return {
    name,
    isRequiredInCi: true,
    prepare: () => {
      const output = execFileSync(find(), ['--version'], { encoding: 'utf8', stdio: 'pipe' });
      const [version = 'unknown'] = /\d+\.[\d.]+/.exec(output) ?? [];
      return { version, run };
    },
  };
}

function runtimesOf(name: string, browser: TestBrowser): readonly Runtime[] {
  return [
    runtimeOf(name, browser, (...given) => runAt('page', browser, ...given)),
    runtimeOf(`${name}-worker`, browser, (...given) => runAt('worker', browser, ...given)),
    runtimeOf(`${name}-service-worker`, browser, (...given) =>
      runAt('service-worker', browser, ...given),
    ),
  ];
}

/** Debian's browsers under a strict Content Security Policy: in a page, in workers, in an extension. */
export const BROWSER_RUNTIMES: readonly Runtime[] = [
  ...runtimesOf('chromium', CHROMIUM),
  {
    ...runtimeOf('chromium-extension', CHROMIUM, runInExtension),
    origin: EXTENSION_ORIGIN,
  },
  ...runtimesOf('firefox', FIREFOX),
];
