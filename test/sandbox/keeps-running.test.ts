import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.js';
import { runAction } from './run-action.js';

let now = Date.UTC(2026, 0, 1);
let sandbox: Sandbox;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  sandbox = await startSandbox(0, 'demo', () => now);
});
afterEach(async () => {
  await sandbox.stop();
  vi.useRealTimers();
});

/** Lets the sandbox tick. An error in a tick would end its process; here it is thrown. */
function tick(): void {
  now += 2_000;
  vi.advanceTimersByTime(1_000);
}

const stateStatus = async () => (await fetch(`${sandbox.url}/sandbox/state`)).status;

it('a sandbox runs on when its clock has reached the last time that it can show', async () => {
  const end = { to: '9999-12-31T23:59:59.999Z' };
  expect((await runAction(sandbox, 'advance', end)).status).toBe(200);
  tick();
  expect(await stateStatus()).toBe(200);
});

it.each([
  ['users', null],
  ['users', { verification: null, card: null }],
  ['deliveries', null],
  ['webhooks', null],
])('a snapshot whose %s contain %j is refused, and changes nothing', async (part, broken) => {
  const response = await fetch(`${sandbox.url}/sandbox/snapshot`);
  const before = (await response.json()) as { state: object };
  const state = { ...before.state, [part]: [broken] };
  const { status, body } = await runAction(sandbox, 'restoreSnapshot', {
    snapshot: { ...before, state },
  });
  expect([status, body]).toEqual([
    400,
    { error: 'snapshot must come from this version of the sandbox' },
  ]);
  tick();
  expect(await stateStatus()).toBe(200);
  expect(sandbox.platform.users.has('ada@example.com')).toBe(true);
});
