import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { expect, it, onTestFinished, vi } from 'vitest';
import { useLimit } from '../../examples/react-app/src/delegate.js';
import { setUp } from '../testing/set-up.js';

it('the React app says so, and offers to try again, when its wallet does not connect', async () => {
  const { client } = setUp();
  const asked: string[] = [];
  vi.stubGlobal('window', globalThis);
  vi.stubGlobal('fetch', async (_url: string, { body }: { body: string }) => {
    asked.push(JSON.parse(body).method);
    return Response.json({ error: { code: 4001, message: 'User rejected the request.' } });
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  const render = () => {
    const shown: ReturnType<typeof useLimit>[] = [];
    const component = () => {
      shown.push(useLimit(client));
      return null;
    };
    renderToString(createElement(component));
    return shown[0];
  };
  expect(render()).toMatchObject({ message: '', label: 'Approve' });
  await render()?.press('250');
  expect(asked.length).toBeGreaterThan(0);
  expect(render()).toMatchObject({
    message: 'Your wallet reported an error. Open it, then continue.',
    label: 'Try again',
    isRunning: false,
  });
});
