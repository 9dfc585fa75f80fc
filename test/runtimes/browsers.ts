import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { build } from 'esbuild';
import { findChromium, launchChromium } from '../support/chromium.js';
import {
  CHROMIUM_EXTENSION_ORIGIN,
  FIREFOX_EXTENSION_ORIGIN,
  type LaunchExtension,
  launchChromiumExtension,
  launchFirefoxExtension,
} from '../support/extension.js';
import { findFirefox, launchFirefox } from '../support/firefox.js';
import {
  EXTENSION_MANIFEST,
  type Place,
  PROGRAM_FILE,
  type ProgramServer,
  serveProgram,
} from './program-server.js';
import { type CheckResult, type Runtime, SUITE_TIMEOUT_MS, type SuiteOptions } from './runtime.js';

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

/** Serves the suite while `open` lets a browser load it, and returns its results. */
async function runServed(
  suite: string,
  suiteOptions: SuiteOptions,
  open: (server: ProgramServer, program: string) => Promise<{ close(): Promise<void> }>,
): Promise<readonly CheckResult[]> {
  const server = await serveProgram<readonly CheckResult[]>();
  try {
    const body = JSON.stringify({ ...suiteOptions, ...TRAITS });
    server.files.set('/options', { type: 'application/json', body });
    const browser = await open(server, await bundle(suite, server.url));
    try {
      return await inTime(server.nextResult());
    } finally {
      await browser.close();
    }
  } finally {
    server.stop();
  }
}

function runAt(place: Place, { launch }: TestBrowser, suite: string, given: SuiteOptions) {
  return runServed(suite, given, async ({ url, files }, program) => {
    files.set(PROGRAM_FILE, { type: 'text/javascript', body: program });
    const browser = await launch();
    const page = await browser.newPage();
    await page.goto(`${url}/${place}`);
    return browser;
  });
}

/** Runs the suite in the background of an extension (Manifest V3). */
function runInExtension(launch: LaunchExtension, suite: string, given: SuiteOptions) {
  return runServed(suite, given, (_, program) =>
    launch({ 'worker.js': program }, EXTENSION_MANIFEST),
  );
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
    ...runtimeOf('chromium-extension', CHROMIUM, (...given) =>
      runInExtension(launchChromiumExtension, ...given),
    ),
    origin: CHROMIUM_EXTENSION_ORIGIN,
  },
  ...runtimesOf('firefox', FIREFOX),
  {
    ...runtimeOf('firefox-extension', FIREFOX, (...given) =>
      runInExtension(launchFirefoxExtension, ...given),
    ),
    origin: FIREFOX_EXTENSION_ORIGIN,
  },
];
