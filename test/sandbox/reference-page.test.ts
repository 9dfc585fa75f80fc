import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { referencePage } from '../../src/sandbox/pages/reference-page.js';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.js';
import { ENDPOINT_IDS } from '../../src/testing/endpoint-ids.js';

let sandbox: Sandbox;
let html: string;
let policy: string | null;
beforeAll(async () => {
  sandbox = await startSandbox(0, 'empty', () => Date.UTC(2026, 0, 1));
  const response = await fetch(`${sandbox.url}/sandbox/reference`);
  policy = response.headers.get('content-security-policy');
  html = await response.text();
});
afterAll(() => sandbox.stop());

const contract = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'));

describe('the reference of the sandbox', () => {
  it('shows every endpoint of openapi.json with its method, path and summary', () => {
    for (const id of ENDPOINT_IDS) expect(html).toContain(`id="${id}"`);
    for (const [path, methods] of Object.entries(contract.paths as Record<string, object>)) {
      for (const method of Object.keys(methods)) {
        expect(html).toContain(
          `<span class="verb">${method.toUpperCase()}</span><code>${path}</code>`,
        );
      }
    }
  });

  it('shows every schema, and each of its links has a target', () => {
    for (const name of Object.keys(contract.components.schemas)) {
      expect(html).toContain(`id="${name}"`);
    }
    const targets = [...html.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    expect(targets.length).toBeGreaterThan(100);
    for (const id of new Set(targets)) expect(html).toContain(`id="${id}"`);
  });

  it('shows parameters, bodies, responses and examples', () => {
    const login = html.slice(
      html.indexOf('id="auth.login"'),
      html.indexOf('id="auth.sendLoginOtp"'),
    );
    expect(login).toContain('<a href="#LoginInput">LoginInput</a>');
    expect(login).toContain('x-us-env');
    expect(login).toContain('isOtpRequired');
    expect(login).toContain('Credentials: clientKey');
    expect(html).toContain('<code>&quot;REWARD&quot;</code>');
  });

  it('loads nothing and runs no script', () => {
    expect(html).not.toMatch(/<script|<link|<img|src=|@import|url\(/);
    expect(policy).toContain("default-src 'none'");
  });

  it('escapes what the document holds', () => {
    const bad = '<img src=x onerror="alert(1)">';
    const operation = { operationId: bad, summary: bad, description: bad, tags: ['t'] };
    const document = {
      tags: [{ name: 't', description: bad }],
      paths: { [bad]: { get: { ...operation, responses: { 200: { description: bad } } } } },
      components: { schemas: { [bad]: { properties: { [bad]: { type: bad } } } } },
    };
    expect(referencePage(document, 'n')).not.toContain('<img');
  });

  it('shows an example of up to 72 characters on one line, and a longer one on several', () => {
    const shown = (length: number) => {
      // {"a":"…"} with a blank after each part of one line
      const given = { a: 'x'.repeat(length - '{ "a": "" }'.length) };
      const content = { 'application/json': { example: given } };
      const operation = { operationId: 'o', tags: ['t'], requestBody: { content }, responses: {} };
      const page = referencePage(
        { tags: [{ name: 't' }], paths: { '/p': { get: operation } } },
        'n',
      );
      return /<pre>([^<]*)<\/pre>/.exec(page)?.[1]?.replaceAll('&quot;', '"');
    };
    const text = (length: number) => `"${'x'.repeat(length - '{ "a": "" }'.length)}"`;
    expect(shown(72)).toBe(`{ "a": ${text(72)} }`);
    expect(shown(73)).toBe(`{\n  "a": ${text(73)}\n}`);
  });

  it('shows text in backticks as code, if it has up to 200 characters', () => {
    const shown = (code: string) => {
      const tags = [{ name: 't', description: `see \`${code}\`.` }];
      const operation = { operationId: 'o', tags: ['t'], responses: {} };
      return referencePage({ tags, paths: { '/p': { get: operation } } }, 'n');
    };
    for (const code of ['x', 'x'.repeat(200)]) {
      expect(shown(code)).toContain(`see <code>${code}</code>.`);
    }
    const longer = 'x'.repeat(201);
    expect(shown(longer)).toContain(`see \`${longer}\`.`);
  });

  it('is linked from the start page', async () => {
    const start = await (await fetch(sandbox.url)).text();
    expect(start).toContain('href="/sandbox/reference"');
  });
});

describe('GET /openapi.json', () => {
  it('is the description of the contract, with the sandbox as its server', async () => {
    const served = await (await fetch(`${sandbox.url}/openapi.json`)).json();
    expect(served).toEqual({ ...contract, servers: [{ url: sandbox.url }] });
  });
});
