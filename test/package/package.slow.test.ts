import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DOCS } from '../docs/guides.js';
import { COMMANDS, EMPTY, isDoneWhenEmpty, SAID } from '../faults/said-by-the-service.js';
import { cellsProgram } from './cells-program.js';
import { type Consumer, installInto, packPackage, temporaryFolder } from './packed.js';

const { folder, remove } = temporaryFolder();
let files: string[];
let bytes: number;
let bare: Consumer;
let withPeers: Consumer;

beforeAll(() => {
  const packed = packPackage(folder);
  ({ files, bytes } = packed);
  bare = installInto(join(folder, 'bare'), packed.tarball, false);
  withPeers = installInto(join(folder, 'with-peers'), packed.tarball, true);
});
afterAll(remove);

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
const entries: string[] = Object.keys(manifest.exports).filter((name) => !name.endsWith('.json'));
const entryFiles = entries
  .filter((name) => name !== '.')
  .flatMap((name) => [`${name.slice(2)}.js`, `${name.slice(2)}.d.ts`]);
const specifiers = entries.map((name) => `card-platform-sdk${name.slice(1)}`);

const JOURNEY = `
  const mock = createMockPlatform();
  const user = mock.users.add({ card: 'ACTIVE' });
  const client = new CardPlatformClient({
    baseUrl: mock.baseUrl, fetch: mock.fetch, ...mock.credentials,
    accessToken: mock.accessTokenFor(user),
  });
  client.card.freeze().then(() => client.card.freeze()).catch((error) => {
    console.log(error.code, isApiError(error), error instanceof BadRequestError);
  });
`;
const NAMES = '{ CardPlatformClient, BadRequestError, isApiError }';

describe('the tarball', () => {
  it('holds the build and no development files', () => {
    // The link of an error (`docsUrl`) leads to the catalogue in the package.
    const shipped = DOCS.filter((path) => !manifest.files.includes(`!${path}`));
    const documents = ['README.md', 'LICENSE', 'SECURITY.md', 'llms.txt', ...shipped];
    documents.push('dist/openapi.json', 'dist/openapi-observed.json');
    expect(files).toEqual(expect.arrayContaining(documents));
    const strange = files.filter(
      (file) =>
        !/^dist\/|^docs\/images\/[\w-]+\.svg$/.test(file) &&
        !['CHANGELOG.md', 'package.json', ...documents].includes(file) &&
        !entryFiles.includes(file),
    );
    expect(strange).toEqual([]);
  });

  it('holds a file of the name of each entry, for Metro without package exports', () => {
    expect(files).toEqual(expect.arrayContaining(entryFiles));
    expect(entryFiles.length).toBe(2 * (entries.length - 1));
  });

  it('takes less than 5 MB on disk', () => {
    expect(bytes).toBeGreaterThan(500_000);
    expect(bytes).toBeLessThan(5_000_000);
  });

  it('runs nothing when it is installed', () => {
    const scripts = Object.keys(manifest.scripts);
    const atInstall = ['preinstall', 'install', 'postinstall', 'preprepare', 'prepare'];
    expect(scripts.filter((name) => atInstall.includes(name))).toEqual([]);
  });

  it('is built with exact versions of its dev dependencies', () => {
    const versions = Object.values<string>(manifest.devDependencies);
    expect(
      versions.filter((version) => !/^(npm:[\w/@-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)),
    ).toEqual([]);
  });

  it('has no dependency that must be installed', () => {
    expect(manifest.dependencies ?? {}).toEqual({});
    const peers = Object.keys(manifest.peerDependencies ?? {});
    expect(peers.every((peer) => manifest.peerDependenciesMeta[peer]?.optional === true)).toBe(
      true,
    );
  });

  it('mentions no schema library and no HTTP library in its types', () => {
    for (const file of files.filter((name) => /\.d\.c?ts$/.test(name))) {
      const types = readFileSync(join(bare.folder, 'node_modules/card-platform-sdk', file), 'utf8');
      expect(types).not.toMatch(/^(?!\s*\*).*from ['"](zod|ky|bs58|@noble)/m);
      expect(types).not.toMatch(/\bany\b(?=[;,)>\]])/);
    }
  });
});

it('installs the sandbox as a command', () => {
  const command = join(bare.folder, 'node_modules', '.bin', 'card-platform-sandbox');
  expect(execFileSync(command, ['--help'], { encoding: 'utf8' })).toContain('--port <number>');
});

describe('the installed package', () => {
  it('runs as ESM', () => {
    const source = `
      import ${NAMES} from 'card-platform-sdk';
      import { createMockPlatform } from 'card-platform-sdk/testing';
      ${JOURNEY}`;
    expect(bare.run('main.mjs', source)).toBe('card_already_frozen true true\n');
  });

  it('runs as CommonJS', () => {
    const source = `
      const ${NAMES} = require('card-platform-sdk');
      const { createMockPlatform } = require('card-platform-sdk/testing');
      ${JOURNEY}`;
    expect(bare.run('main.cjs', source)).toBe('card_already_frozen true true\n');
  });

  it('works as ESM and CommonJS in one process: the guards hold where instanceof does not', () => {
    const source = `
      import { createRequire } from 'node:module';
      import { CardPlatformClient, BadRequestError } from 'card-platform-sdk';
      import { createMockPlatform } from 'card-platform-sdk/testing';
      const { isApiError } = createRequire(import.meta.url)('card-platform-sdk');
      ${JOURNEY}`;
    expect(bare.run('both.mjs', source)).toBe('card_already_frozen true true\n');
  });

  it('asks the wallet for one approval when both copies delegate at once', () => {
    const source = `
      import { createRequire } from 'node:module';
      import { CardPlatformClient } from 'card-platform-sdk';
      import { delegateSolana } from 'card-platform-sdk/solana';
      import { createMockPlatform } from 'card-platform-sdk/testing';
      import { createMockWallet } from 'card-platform-sdk/testing/wallets';
      const cjs = createRequire(import.meta.url)('card-platform-sdk/solana');
      const mock = createMockPlatform();
      const user = mock.users.add();
      const { chains, solana } = await createMockWallet({ platform: mock });
      const { features } = solana;
      const { signTransaction } = features['solana:signTransaction'];
      let prompts = 0;
      const signing = { ...features, 'solana:signTransaction': {
        signTransaction: (...input) => (prompts++, signTransaction(...input)),
      } };
      const options = {
        client: new CardPlatformClient({
          baseUrl: mock.baseUrl, fetch: mock.fetch, ...mock.credentials,
          accessToken: mock.accessTokenFor(user),
        }),
        wallet: { accounts: solana.accounts, features: signing },
        node: chains.solana, spender: chains.solana.delegate, runtime: chains.runtime,
        currency: 'usdc', amount: '100.5', domain: 'app.example', uri: 'https://app.example',
      };
      const [one, two] = await Promise.all([delegateSolana(options), cjs.delegateSolana(options)]);
      console.log(prompts, one.registration, one.transactionId === two.transactionId);
    `;
    expect(withPeers.run('flows.mjs', source)).toBe('1 accepted true\n');
  });

  it('returns the outcome of an abort in a call of its other copy', () => {
    const source = `
      import { createRequire } from 'node:module';
      import * as esm from 'card-platform-sdk';
      const cjs = createRequire(import.meta.url)('card-platform-sdk');
      const abort = async ({ CardPlatformClient }) => {
        const reason = new Error('left');
        const client = new CardPlatformClient({
          baseUrl: 'https://api.example.com', clientKey: 'key', accessToken: 'token',
          fetch: () => {
            setImmediate(() => controller.abort(reason));
            return new Promise(() => {});
          },
        });
        const controller = new AbortController();
        const { signal } = controller;
        const calling = client.wallets.credit.withdraw({ amount: '1' }, { signal });
        return calling.catch((error) => error);
      };
      const [one, two] = await Promise.all([abort(esm), abort(cjs)]);
      console.log(cjs.outcomeOf(one), esm.outcomeOf(two));
    `;
    expect(bare.run('outcomes.mjs', source)).toBe('unknown unknown\n');
  });

  it.each(['esm', 'cjs'])('reports a refused connection as not sent, as %s', async (format) => {
    // A port on which nothing listens, and that `fetch` does not refuse by itself.
    const probe = createServer();
    await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
    const { port } = probe.address() as AddressInfo;
    await new Promise((resolve) => probe.close(resolve));
    const load =
      format === 'esm'
        ? "import { CardPlatformClient } from 'card-platform-sdk';"
        : "const { CardPlatformClient } = require('card-platform-sdk');";
    const source = `
      ${load}
      const withdraw = async (options) => {
        const baseUrl = 'http://127.0.0.1:${port}';
        const client = new CardPlatformClient({ baseUrl, clientKey: 'k', accessToken: 't', ...options });
        const { error } = await client.wallets.credit.withdraw({ amount: '1' }).safe();
        return [error.name, error.outcome, error.attempts].join(' ');
      };
      const viaFetch = { fetch: (url, init) => fetch(url, init) };
      Promise.all([withdraw({}), withdraw(viaFetch)]).then((all) => console.log(all.join(', ')));
    `;
    const name = format === 'esm' ? 'refused.mjs' : 'refused.cjs';
    const expected = 'ConnectionError not_sent 3';
    expect(bare.run(name, source)).toBe(`${expected}, ${expected}\n`);
  });

  // The same cells as in test/faults, whose tests import the source.
  it.each([
    'esm',
    'cjs',
  ])('takes no success status for a success, in every cell, as %s', (format) => {
    const cells = COMMANDS.flatMap((row) => {
      const { sdk, call } = row;
      const args = call.input === undefined ? [] : [call.input];
      const answers = { ...SAID, ...(isDoneWhenEmpty(row) ? {} : EMPTY) };
      return Object.entries(answers).map(([what, answer]) => ({
        id: row.id,
        sdk,
        args,
        what,
        answer,
      }));
    });
    const results = JSON.parse(
      bare.run(`cells.${format === 'esm' ? 'mjs' : 'cjs'}`, cellsProgram(format, cells)),
    ) as { [adapter: string]: (readonly unknown[])[] };
    const expected = cells.map(({ id, what }) => {
      const { outcome, probableOutcome } = SAID[what] ?? {
        outcome: 'unknown',
        probableOutcome: 'executed',
      };
      return [id, what, outcome, probableOutcome ?? null, 1];
    });
    expect(Object.keys(results)).toEqual(['node-http', 'fetch', 'ky']);
    for (const [adapter, found] of Object.entries(results)) {
      expect(found, adapter).toEqual(expected);
    }
    expect(expected.length).toBeGreaterThan(500);
  });

  it('calls an endpoint through a client of its other copy', () => {
    const source = `
      import { createRequire } from 'node:module';
      import { call, cardStatus } from 'card-platform-sdk/endpoints';
      import { createMockPlatform } from 'card-platform-sdk/testing';
      const { CardPlatformClient } = createRequire(import.meta.url)('card-platform-sdk');
      const mock = createMockPlatform();
      const client = new CardPlatformClient({
        baseUrl: mock.baseUrl, fetch: mock.fetch, ...mock.credentials,
        accessToken: mock.accessTokenFor(mock.users.add({ card: 'ACTIVE' })),
      });
      console.log((await call(client, cardStatus, {})).status);`;
    expect(bare.run('call.mjs', source)).toBe('ACTIVE\n');
  });

  it.each(['bare', 'with peers'])('loads every entry as ESM and CommonJS, %s', (which) => {
    const consumer = which === 'bare' ? bare : withPeers;
    const names = specifiers.filter(
      (name) => which !== 'bare' || !/evm|wagmi|web3|msw|wallets/.test(name),
    );
    const source = names
      .map((name) => `console.log(typeof require('${name}'), typeof (await import('${name}')));`)
      .join('\n');
    const script = `import { createRequire } from 'node:module';
      const require = createRequire(import.meta.url);
      ${source}`;
    expect(consumer.run('entries.mjs', script)).toBe('object object\n'.repeat(names.length));
  });

  it.each([
    ['mjs', "import { CardPlatformClient } from 'card-platform-sdk';"],
    ['cjs', "const { CardPlatformClient } = require('card-platform-sdk');"],
  ])('does not make Node load its fetch, as %s', (extension, load) => {
    // Node replaces these getters by values when it has loaded its `fetch`.
    const source = `${load}
      new CardPlatformClient({ baseUrl: 'https://api.example.com', clientKey: 'key' });
      const isLazy = (name) => Object.getOwnPropertyDescriptor(globalThis, name).get !== undefined;
      console.log(['FormData', 'Headers', 'Request', 'Response'].every(isLazy));`;
    expect(bare.run(`fetch.${extension}`, source)).toBe('true\n');
  });

  it('has one copy of each error class for all entries', () => {
    const source = `
      const classes = new Map();
      for (const name of ${JSON.stringify(specifiers.filter((name) => !/evm|wagmi|web3|msw|wallets/.test(name)))}) {
        for (const [key, value] of Object.entries(require(name))) {
          if (typeof value !== 'function' || !key.endsWith('Error')) continue;
          if (classes.has(key) && classes.get(key) !== value) console.log('two copies of', key);
          classes.set(key, value);
        }
      }
      console.log(classes.size > 15);`;
    expect(bare.run('copies.cjs', source)).toBe('true\n');
  });
});

describe('the files of the build', () => {
  const dist = () => join(bare.folder, 'node_modules/card-platform-sdk/dist');
  const code = () =>
    files
      .filter((file) => /^dist\/.*\.(?:js|cjs)$/.test(file))
      .map((file) => [file, readFileSync(join(dist(), '..', file), 'utf8')] as const);

  it('load everything that they need at once', () => {
    for (const [file, text] of code()) {
      expect(text.replace(/\/\*[\s\S]*?\*\//g, ''), file).not.toMatch(/\bimport\(/);
    }
    expect(code().length).toBeGreaterThan(2 * entries.length);
  });

  it('do not import each other for nothing, about which bundlers warn', () => {
    for (const [file, text] of code()) expect(text, file).not.toMatch(/^import ['"]\.\//m);
  });

  it.each(['mjs', 'cjs'])('print an uncaught error in less than 4 kB, as %s', (extension) => {
    const load =
      extension === 'mjs'
        ? "import { CardPlatformClient } from 'card-platform-sdk';"
        : "const { CardPlatformClient } = require('card-platform-sdk');";
    const source = `${load}
      const client = new CardPlatformClient({ baseUrl: 'http://127.0.0.1:1', clientKey: 'key', accessToken: 'token' });
      (async function withdraw() {
        await client.wallets.credit.withdraw({ amount: '1' });
      })();`;
    const printed = bare.fail(`uncaught.${extension}`, source);
    expect(printed).toContain(
      'ConnectionError: wallets.credit.withdraw: the connection to http://127.0.0.1:1 could not',
    );
    expect(printed).toContain(`uncaught.${extension}`);
    expect(Buffer.byteLength(printed)).toBeLessThan(4_000);
  });
});

describe('the types', () => {
  const source = `
    import { CardPlatformClient, isApiError, type Card } from 'card-platform-sdk';
    import { schemas } from 'card-platform-sdk/schemas';
    import { createMockPlatform } from 'card-platform-sdk/testing';
    const mock = createMockPlatform();
    const client = new CardPlatformClient({ baseUrl: mock.baseUrl, fetch: mock.fetch });
    export const card: Promise<Card> = client.card.status();
    export const valid = schemas['card.order'].request['~standard'].validate({ type: 'VIRTUAL' });
    export const refused = isApiError(new Error('x'), 'card_not_found');
    // @ts-expect-error amounts are strings
    client.wallets.credit.withdraw({ amount: 5 });
    // @ts-expect-error only VIRTUAL
    client.card.order({ type: 'METAL' });
  `;

  it.each([
    ['nodenext, ESM', 'types.mts', { module: 'nodenext', lib: ['es2023', 'dom'] }],
    ['nodenext, CommonJS', 'types.cts', { module: 'nodenext', lib: ['es2023', 'dom'] }],
    [
      'bundler',
      'bundled.ts',
      { module: 'esnext', moduleResolution: 'bundler', lib: ['es2023', 'dom'] },
    ],
    [
      'moduleResolution node',
      'old.ts',
      { module: 'commonjs', moduleResolution: 'node10', lib: ['es2023', 'dom'] },
    ],
  ])('compile as %s, with and without the peers', (_, name, options) => {
    for (const consumer of [bare, withPeers]) {
      expect(consumer.check(name, source, { ...options, skipLibCheck: false })).toBe('');
    }
  });

  it('are the same in both formats, so that a program with both can pass a client on', () => {
    const options = { module: 'nodenext', lib: ['es2023', 'dom'] };
    const commonJs = `
      import type { CardPlatformClient } from 'card-platform-sdk';
      export const freeze = async (client: CardPlatformClient) => client.card.freeze();`;
    expect(bare.check('shared.cts', commonJs, options)).toBe('');
    const module = `
      import { CardPlatformClient } from 'card-platform-sdk';
      import { freeze } from './shared.cjs';
      await freeze(new CardPlatformClient({ baseUrl: 'https://api.example.com', clientKey: 'key' }));`;
    expect(bare.check('passed-on.mts', module, options)).toBe('');
  });
});
