import { createServer } from 'node:http';
import { readBody } from '../../../../src/sandbox/http.ts';
import { relay } from '../../../../src/sandbox/relay.ts';
import { createMockPlatform as create } from '../../../../src/testing/index.ts';
import { openValidatingProxy } from './validating-proxy.js';

export * from '../../../../src/testing/index.ts';

/** The proxies that were opened, for the test to look at. */
export const opened = [];

async function open(platform) {
  const server = createServer(async (request, response) =>
    relay(platform, request, (await readBody(request)) ?? '', response),
  );
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxy = await openValidatingProxy(`http://127.0.0.1:${server.address().port}`);
  opened.push({ proxy, close: () => Promise.all([proxy.close(), server.close()]) });
  return proxy;
}

/** Creates a mock platform whose `fetch` goes through the proxy. */
export function createMockPlatform(options) {
  const platform = create(options);
  let proxy;
  const proxiedFetch = async (url, init) => {
    proxy ??= open(platform);
    return (await proxy).send(new Request(url, init));
  };
  return new Proxy(platform, {
    get(target, name) {
      if (name === 'fetch') return proxiedFetch;
      const value = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
