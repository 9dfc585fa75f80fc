import { startSandbox } from '../../../../src/sandbox/server.ts';
import { openValidatingProxy } from './validating-proxy.js';

const STARTS_AT = Date.UTC(2026, 0, 1);

/** Opens the sandbox behind the proxy. Closing it fails if a response was not as described. */
async function openProxiedSandbox() {
  const { platform, stop } = await startSandbox(0, 'empty', () => STARTS_AT);
  const proxy = await openValidatingProxy(platform.baseUrl);
  async function close() {
    await proxy.close();
    await stop();
    // The suite sends wrong requests on purpose, which shows that the proxy sees them.
    const violations = proxy.violations.filter((text) => !/: request/.test(text));
    if (proxy.violations.length === 0) throw new Error('the proxy reports nothing at all');
    if (violations.length > 0) throw new Error(violations.join('\n'));
    if (proxy.exchanges < 500) throw new Error(`only ${proxy.exchanges} exchanges were checked`);
  }
  return { platform, send: proxy.send, close };
}

export const ACCESS_WAYS = [['a validating proxy before the sandbox server', openProxiedSandbox]];
