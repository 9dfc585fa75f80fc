import { createHash, randomBytes as nodeRandomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createPkce, createState } from '../../src/observed/oauth/pkce.js';
import { eventually } from '../properties/runs.js';
import { rejection } from '../support/clients.js';

const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url');

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('a code verifier', () => {
  it('has 43 allowed characters, and its challenge is that of Node', async () => {
    const { verifier, challenge, method } = await createPkce();
    expect(verifier).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(challenge).toBe(challengeOf(verifier));
    expect(method).toBe('S256');
  });

  it('is base64url of any random bytes, with and without WebCrypto', async () => {
    const bytes = fc
      .uint8Array({ minLength: 32, maxLength: 32 })
      .filter((all) => all.some((one) => one !== all[0]));
    await eventually([bytes, fc.boolean()], async (random, hasCrypto) => {
      if (!hasCrypto) vi.stubGlobal('crypto', undefined);
      const { verifier, challenge } = await createPkce({ randomBytes: () => random });
      vi.unstubAllGlobals();
      expect(verifier).toBe(Buffer.from(random).toString('base64url'));
      expect(challenge).toBe(challengeOf(verifier));
    });
  });

  it('is another one each time', async () => {
    const all = await Promise.all(Array.from({ length: 50 }, () => createPkce()));
    expect(new Set(all.map(({ verifier }) => verifier)).size).toBe(50);
  });

  it('is never printed', async () => {
    const pkce = await createPkce();
    const shown = inspect(pkce, { showHidden: true, getters: true }) + JSON.stringify({ ...pkce });
    expect(shown).toContain(pkce.challenge);
    expect(shown).not.toContain(pkce.verifier);
  });
});

describe('a state', () => {
  it('has 22 random characters', async () => {
    const [one, other] = await Promise.all([createState(), createState()]);
    expect(one).toMatch(/^[A-Za-z0-9_-]{22}$/);
    expect(one).not.toBe(other);
  });
});

describe('without a secure source of random bytes', () => {
  it.each([
    ['no crypto, as in React Native', undefined],
    ['a crypto without getRandomValues', {}],
  ])('%s is refused, and nothing weaker is used', async (_, crypto) => {
    vi.stubGlobal('crypto', crypto);
    const random = vi.spyOn(Math, 'random');
    for (const create of [createPkce, createState]) {
      expect(await rejection(create())).toMatchObject({
        name: 'ConfigurationError',
        option: 'randomBytes',
      });
    }
    expect(random).not.toHaveBeenCalled();
    random.mockRestore();
  });

  it('an injected one is used, which may be asynchronous', async () => {
    vi.stubGlobal('crypto', undefined);
    const randomBytes = vi.fn(async (length: number) => Uint8Array.from(nodeRandomBytes(length)));
    const { verifier, challenge } = await createPkce({ randomBytes });
    expect(randomBytes).toHaveBeenCalledWith(32);
    expect(challenge).toBe(challengeOf(verifier));
  });

  it.each([
    ['zeros', () => new Uint8Array(32)],
    ['too few bytes', () => Uint8Array.of(1, 2, 3)],
    ['a text', () => 'random'],
    ['a list', () => Array.from({ length: 32 }, (_, at) => at)],
    ['nothing', () => undefined],
  ])('an injected one that returns %s is refused', async (_, source) => {
    const randomBytes = source as () => Uint8Array;
    expect(await rejection(createPkce({ randomBytes }))).toMatchObject({ option: 'randomBytes' });
  });
});
