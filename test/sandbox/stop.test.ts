import { expect, it } from 'vitest';
import { startSandbox } from '../../src/sandbox/server.js';
import { startSilentServer } from '../support/silent-server.js';
import { runAction } from './run-action.js';

it('a sandbox that stops ends the delivery to a receiver that does not respond', async () => {
  const receiver = await startSilentServer();
  const sandbox = await startSandbox(0, 'demo', () => Date.UTC(2026, 0, 1));
  const to = `${receiver.url}/hooks`;
  await runAction(sandbox, 'forward', { id: 'receiver-1', to, key: 'whk_test' });
  const delivering = sandbox.platform.deliver({ type: 'card.activated' });
  await expect.poll(receiver.received).toBe(1);
  await sandbox.stop();
  await delivering;
  await expect.poll(receiver.open).toBe(0);
});
