import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { CardPlatformClient } from '../../src/index.js';
import { createJournal } from '../../src/journal/index.js';
import { UsageError } from '../../src/sandbox/command-line.js';
import { loadSeed, startupText } from '../../src/sandbox/commands/serve.js';
import { DEMO_LOGINS } from '../../src/sandbox/demo-users.js';
import { readOptions } from '../../src/sandbox/options.js';
import { applySeed } from '../../src/sandbox/seed.js';
import { startSandbox } from '../../src/sandbox/server.js';
import { memoryStore } from '../../src/stores/index.js';
import { createMockPlatform } from '../../src/testing/index.js';
import { systemClock } from '../../src/transport/attempts/clock.js';
import { runAction } from './run-action.js';

const folder = mkdtempSync(join(tmpdir(), 'sandbox-seed-'));
afterAll(() => rmSync(folder, { recursive: true }));

function fileWith(contents: unknown): string {
  const path = join(folder, 'seed.json');
  writeFileSync(path, typeof contents === 'string' ? contents : JSON.stringify(contents));
  return path;
}

/** A snapshot with a second tenant. */
function withTenant(credentials: { clientKey: string }) {
  const platform = createMockPlatform();
  platform.tenants.add('acme', credentials);
  return platform.snapshot();
}

describe('a seed file', () => {
  it('adds its tenants, users and choices', () => {
    const platform = createMockPlatform();
    const seed = loadSeed(
      fileWith({
        tenants: [{ name: 'acme', clientKey: 'acme-key' }],
        users: [
          { email: 'ada@acme.test', tenant: 'acme', card: 'FROZEN', creditBalance: '12.5' },
          { email: 'bob@acme.test', wallets: [{ network: 'solana', balance: '3' }] },
        ],
        choices: { pendingCard: 'not-found' },
      }),
    );
    applySeed(platform, seed);
    expect(platform.users.get('ada@acme.test')).toMatchObject({
      tenant: 'acme',
      card: { status: 'FROZEN' },
      creditWallet: { balance: '12.5' },
    });
    expect(platform.users.get('bob@acme.test').internalWallets).toMatchObject([{ balance: '3' }]);
    expect(platform.state.tenants.map(({ clientKey }) => clientKey)).toContain('acme-key');
    expect(platform.state.choices.pendingCard).toBe('not-found');
  });

  it('may be a snapshot of a sandbox', () => {
    const saved = createMockPlatform();
    saved.users.add({ email: 'kept@example.com', card: 'ACTIVE' });
    const platform = createMockPlatform();
    applySeed(platform, loadSeed(fileWith(saved.snapshot())));
    expect(platform.state).toEqual(saved.state);
  });

  it('leaves what the command line chooses, and a snapshot keeps the rest', () => {
    const credentials = { clientKey: 'mine', clientId: 'my-id' };
    const saved = createMockPlatform({ credentials, choices: { newWebhook: 'active' } });
    saved.state.choices.pendingCard = 'not-found';
    const chosen = {
      credentials: { clientKey: 'other' },
      choices: { pendingCard: 'shown', otpRequiredStatus: 200 },
    } as const;
    const file = { choices: { pendingCard: 'not-found', newWebhook: 'active' } };
    const result = (contents: unknown) => {
      const platform = createMockPlatform(chosen);
      applySeed(platform, loadSeed(fileWith(contents), chosen), chosen);
      const { tenants, choices } = platform.state;
      return { tenant: tenants[0], choices };
    };
    const choices = { pendingCard: 'shown', otpRequiredStatus: 200, newWebhook: 'active' };
    expect(result(file)).toMatchObject({ tenant: { clientKey: 'other' }, choices });
    expect(result(saved.snapshot())).toMatchObject({
      tenant: { clientKey: 'other', clientId: 'my-id' },
      choices,
    });
  });

  it('keeps what the command line chooses after a reset', async () => {
    const choices = { pendingCard: 'shown' } as const;
    const seed = { choices: { pendingCard: 'not-found' } };
    const sandbox = await startSandbox(0, seed, () => 0, { choices });
    onTestFinished(sandbox.stop);
    expect(sandbox.platform.state.choices.pendingCard).toBe('shown');
    await runAction(sandbox, 'choose', { name: 'pendingCard', value: 'not-found' });
    await runAction(sandbox, 'reset', {});
    expect(sandbox.platform.state.choices.pendingCard).toBe('shown');
  });

  it.each([
    ['a file', { tenants: [{ name: 'acme', clientKey: 'mine' }] }],
    ['a snapshot', withTenant({ clientKey: 'mine' })],
  ])('is refused when another tenant of %s has a credential of the command line', (_, contents) => {
    const load = () => loadSeed(fileWith(contents), { credentials: { clientKey: 'mine' } });
    expect(load).toThrow(UsageError);
    expect(load).toThrow('another tenant has this clientKey');
  });

  it('decides which keys the console prints', () => {
    const saved = createMockPlatform({ credentials: { clientKey: 'mine' } });
    const platform = createMockPlatform();
    applySeed(platform, saved.snapshot());
    const options = readOptions(['--seed', 'state.json']);
    if (options === undefined) throw new Error('there are no options');
    const text = startupText({ url: 'http://127.0.0.1:4010', platform, options });
    expect(text).toContain('clientKey mine, clientId mock-client-id, secretKey mock-secret-key');
  });

  it.each([
    ['{', 'not a JSON file'],
    ['[]', 'must contain an object'],
    ['null', 'must contain an object'],
    [{ user: [] }, 'user is not known here: expected tenants, users, choices'],
    [{ users: {} }, 'users must be of type array'],
    [{ users: [{ email: 1 }] }, 'users[0].email must be of type string'],
    [{ users: [{ emial: 'a' }] }, 'emial'],
    [{ users: [{ email: 'a@b.c' }, { email: 'a@b.c' }] }, 'already'],
    [{ users: [{ tenant: 'x' }] }, 'there is no tenant'],
    [{ tenants: [{}] }, 'tenants[0].name is missing'],
    [{ tenants: [{ name: 'mock-tenant' }] }, 'another tenant'],
    [{ choices: { pendingCard: 'maybe' } }, 'pendingCard must be one of'],
    [{ state: {}, now: 0, ids: 0 }, 'snapshot must come from'],
  ])('is refused when it holds %j', (contents, message) => {
    const load = () => loadSeed(fileWith(contents));
    expect(load).toThrow(UsageError);
    expect(load).toThrow(message);
  });

  it('is refused when it does not exist', () => {
    expect(() => loadSeed(join(folder, 'missing.json'))).toThrow('--seed cannot be read');
  });
});

describe('the demo users', () => {
  const login = async (email: string) => {
    const platform = createMockPlatform();
    applySeed(platform, 'demo');
    const user = platform.users.get(email);
    const client = new CardPlatformClient({
      baseUrl: platform.baseUrl,
      fetch: platform.fetch,
      ...platform.credentials,
      ...(user.environment === 'us' && { region: 'us' as const }),
    });
    const { password, id: userId } = user;
    const first = await client.auth.login({ email, password }).safe();
    return { platform, client, user, first, userId };
  };

  it('are all described, for the console and the page', () => {
    const platform = createMockPlatform();
    applySeed(platform, 'demo');
    const emails = platform.state.users.map(({ email }) => email);
    expect(DEMO_LOGINS.map(([email]) => email).sort()).toEqual(emails.sort());
  });

  it.each([
    'alan@example.com',
    'ada@example.com',
    'edsger@example.com',
    'margaret@example.com',
  ])('can withdraw, and a lost withdrawal can be decided: %s', async (email) => {
    for (const [moment, verdict] of [
      ['before-processing', 'not_executed'],
      ['after-processing', 'executed'],
    ] as const) {
      const { platform, user } = await login(email);
      const client = new CardPlatformClient({
        baseUrl: platform.baseUrl,
        fetch: platform.fetch,
        ...platform.credentials,
        ...(user.environment === 'us' && { region: 'us' as const }),
        accessToken: platform.accessTokenFor(user),
        journal: createJournal({ store: memoryStore(), hasAllRequests: true }),
        clock: { ...systemClock, now: () => platform.now },
      });
      // From a read, the journal knows the time of the service before the request.
      await client.wallets.credit.get();
      platform.drop('wallets.credit.withdraw', moment);
      const lost = await client.wallets.credit.withdraw({ amount: '3.5' }).safe();
      expect(lost.error?.outcome).toBe('unknown');
      // A request counts as not executed only when a second look finds nothing either.
      const verdicts = [];
      for (let look = 0; look < 2; look++) {
        platform.advance('10 minutes');
        const [entry] = await client.journal.pending();
        verdicts.push(entry && (await client.journal.reconcile(entry)).verdict);
      }
      expect(verdicts.at(-1)).toBe(verdict);
      expect((await client.wallets.credit.withdraw({ amount: '1' })).txHash).toMatch(/^0x/);
    }
  });

  it('have a history that lies days back', () => {
    const platform = createMockPlatform();
    applySeed(platform, 'demo');
    const dates = platform.state.users
      .flatMap(({ transactions }) => Object.values(transactions).flat())
      .map(({ date }) => platform.now - Date.parse(date));
    expect(dates.length).toBeGreaterThan(20);
    expect(Math.min(...dates)).toBeGreaterThan(2 * 86_400_000);
  });

  it('have entries that are three days old, and then one for each twelve hours before', () => {
    const platform = createMockPlatform();
    applySeed(platform, 'demo');
    const agesOf = (email: string) => {
      const { creditWallet, transactions } = platform.users.get(email);
      const entries = transactions[creditWallet.id] ?? [];
      return entries.map(({ date }) => platform.now - Date.parse(date));
    };
    const ages = Array.from({ length: 24 }, (_, index) => 259_200_000 + index * 43_200_000);
    expect(agesOf('ada@example.com')).toEqual(ages);
    expect(agesOf('grace@example.com')).toEqual(ages.slice(0, 3));
  });

  it.each([
    'alan@example.com',
    'grace@example.com',
    'margaret@example.com',
    'barbara@example.com',
  ])('log in with a password only: %s', async (email) => {
    const { first } = await login(email);
    expect(first.data?.accessToken).toMatch(/^access_/);
  });

  it('are asked for a code with status 400, and with 200', async () => {
    for (const email of ['ada@example.com', 'edsger@example.com']) {
      const { client, first, user, userId, platform } = await login(email);
      expect(first.error?.code).toBe('otp_required');
      expect(platform.requests.last?.status).toBe(email.startsWith('ada') ? 400 : 200);
      await client.auth.sendLoginOtp({ userId });
      const { password } = user;
      const otpCode = platform.otpFor(user) ?? '';
      const second = await client.auth.login({ email, password, otpCode });
      expect(second.accessToken).toMatch(/^access_/);
    }
  });

  it('have a step of onboarding, a locked and a disabled account, and no permission', async () => {
    expect((await login('katherine@example.com')).first.data).toMatchObject({
      accessToken: null,
      phase: 'PERSONAL_INFORMATION',
    });
    expect((await login('hedy@example.com')).first.error?.code).toBe('account_locked');
    expect((await login('linus@example.com')).first.error?.code).toBe('account_disabled');
    const { client, first } = await login('barbara@example.com');
    const barbara = client.withAccessToken(first.data?.accessToken ?? '');
    expect((await barbara.card.status().safe()).error).toMatchObject({ status: 403 });
  });
});
