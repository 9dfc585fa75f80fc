import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { launchChromium } from '../support/chromium.js';
import { SITE } from './site-files.js';

/** The path that the site is built for. */
const BASE = '/card-platform-sdk/';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

/** The file that a host of static files responds with. */
function fileAt(url: string): string | undefined {
  const { pathname } = new URL(url, 'http://site');
  if (!pathname.startsWith(BASE)) return undefined;
  const path = decodeURIComponent(pathname.slice(BASE.length));
  const file = join(SITE, path === '' || path.endsWith('/') ? `${path}index.html` : path);
  return existsSync(file) && statSync(file).isFile() ? file : undefined;
}

/** Starts a host of static files that serves the site below its path, and 404.html elsewhere. */
async function startHost(): Promise<Server> {
  const server = createServer(({ url = '' }, response) => {
    const file = fileAt(url);
    const type = TYPES[extname(file ?? '.html')] ?? 'text/plain; charset=utf-8';
    response.writeHead(file === undefined ? 404 : 200, { 'content-type': type });
    response.end(readFileSync(file ?? join(SITE, '404.html')));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

/**
 * Starts a browser and a host of the site for a test file. After each test, no page may have reported
 * a problem or asked for anything outside of the site.
 */
export function useSite() {
  let browser: Browser;
  let server: Server;
  let root = '';
  const problems: string[] = [];
  const opened: Page[] = [];
  beforeAll(async () => {
    [browser, server] = await Promise.all([launchChromium(), startHost()]);
    root = `http://127.0.0.1:${(server.address() as AddressInfo).port}${BASE}`;
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((page) => page.context().close()));
    expect(problems.splice(0)).toEqual([]);
  });
  afterAll(async () => {
    await browser.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  return {
    /** Opens a page of the site, once its scripts have taken it over. */
    async open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
      const context = await browser.newContext({
        viewport: { width: 1440, height: 900 },
        ...options,
      });
      const page = await context.newPage();
      opened.push(page);
      page.on('pageerror', (error) => problems.push(`${page.url()}: ${error.message}`));
      page.on('console', (message) => {
        if (message.type() === 'error') problems.push(`${page.url()}: ${message.text()}`);
      });
      page.on('request', (request) => {
        const isOwn = request.url().startsWith(root) || /^(data|blob):/.test(request.url());
        if (!isOwn) problems.push(`${page.url()} asked for ${request.url()}`);
      });
      await page.goto(`${root}${path}`);
      await page.waitForFunction(() => {
        const app = document.querySelector('#app');
        return app !== null && '__vue_app__' in app;
      });
      return page;
    },
  };
}
