import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll } from 'vitest';
import type { TabActions } from './page.js';

export const ROUNDS = Number(process.env['STORE_ROUNDS'] ?? 10);
export const KILLS = Number(process.env['STORE_KILLS'] ?? 40);
const CHANGES = 20;
export const LONG = 120_000 + 2_000 * ROUNDS + 1_000 * KILLS;

/** What these tests need of a tab: Playwright and Puppeteer have it. */
export type Tab = {
  goto(url: string): Promise<unknown>;
  evaluate(code: string): Promise<unknown>;
};

/** A browser whose tabs share their storage. */
export type TabbedBrowser = { newPage(): Promise<Tab>; close(): Promise<void> };

let server: Server;
let url = '';
let browser: TabbedBrowser;
/** The refresh tokens that the tabs have sent. */
export const renewals: string[] = [];

async function bundle(name: string): Promise<string> {
  const entryPoints = [join(import.meta.dirname, `${name}.ts`)];
  const { outputFiles } = await build({ entryPoints, bundle: true, write: false, format: 'iife' });
  return outputFiles[0]?.text ?? '';
}

/** Serves the page and its worker, and responds to their requests. */
async function serve(): Promise<void> {
  const [page, worker] = [await bundle('page'), await bundle('worker')];
  server = createServer((request, response) => {
    // Shared memory needs an isolated page.
    response.setHeader('cross-origin-opener-policy', 'same-origin');
    response.setHeader('cross-origin-embedder-policy', 'require-corp');
    if (request.url === '/worker.js') {
      response.setHeader('content-type', 'text/javascript');
      return response.end(worker);
    }
    if (request.method === 'GET') {
      response.setHeader('content-type', 'text/html; charset=utf-8');
      return response.end(`<!doctype html><script>${page}</script>`);
    }
    let sent = '';
    request.on('data', (chunk) => {
      sent += chunk;
    });
    return request.on('end', () => {
      if (request.url === '/renew') {
        renewals.push(sent);
        return response.end(String(Number(sent.replace('refresh-', '')) + 1));
      }
      // The response to a withdrawal is lost.
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
      response.write('{');
      return setTimeout(() => response.destroy(), 5);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** Starts server and browser before the tests of a file, and stops them afterwards. */
export function useBrowser(launch: () => Promise<TabbedBrowser>): void {
  beforeAll(async () => {
    await serve();
    browser = await launch();
  });
  afterAll(async () => {
    await browser.close();
    server.close();
    server.closeAllConnections();
  });
}

/** Calls an action of a tab. */
export function ask<Name extends keyof TabActions>(
  tab: Tab,
  name: Name,
  ...values: Parameters<TabActions[Name]>
): Promise<Awaited<ReturnType<TabActions[Name]>>> {
  const result = tab.evaluate(`actions.${name}(...${JSON.stringify(values)})`);
  return result as Promise<Awaited<ReturnType<TabActions[Name]>>>;
}

/** Opens the page in a given tab. */
export async function openIn<Given extends Tab>(tab: Given): Promise<Given> {
  await tab.goto(url);
  return tab;
}

/** Opens the page in a new tab. */
export const openTab = async (): Promise<Tab> => openIn(await browser.newPage());

/** Lets two tabs count at once. Returns what each of them reads afterwards. */
export async function countInBoth(
  tabs: readonly Tab[],
  name: 'indexedDB' | 'localStorage',
  key: string,
) {
  await Promise.all(tabs.map((tab) => ask(tab, 'count', name, key, CHANGES)));
  return Promise.all(tabs.map((tab) => ask(tab, 'read', name, key)));
}
