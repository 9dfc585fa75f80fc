import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { startSandbox } from '../../src/sandbox/server.js';
import { runAction } from './run-action.js';

it('a sandbox that stops ends the delivery to a receiver that does not respond', async () => {
  let closed = 0;
  const receiver = createServer((request) => request.once('close', () => closed++));
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void receiver.close());
  onTestFinished(() => receiver.closeAllConnections());
  const sandbox = await startSandbox(0, 'demo', () => Date.UTC(2026, 0, 1));
  const { port } = receiver.address() as AddressInfo;
  const to = `http://127.0.0.1:${port}/hooks`;
  await runAction(sandbox, 'forward', { id: 'receiver-1', to, key: 'whk_test' });
  const delivering = sandbox.platform.deliver({ type: 'card.activated' });
  await new Promise<void>((resolve) => receiver.once('request', () => resolve()));
  await sandbox.stop();
  await delivering;
  await expect.poll(() => closed).toBe(1);
});
