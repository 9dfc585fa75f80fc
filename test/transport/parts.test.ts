import { Agent } from 'node:http';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { cardStatus } from '../../src/contract/card.js';
import { isHttpsUrl } from '../../src/contract/formats/url.js';
import { CardPlatformClient } from '../../src/index.js';
import { agentOfCaller, SocketSlots } from '../../src/transport/adapters/node-connections.js';
import {
  checkInput,
  credentialsOf,
  SEND,
  type Send,
  type Sender,
} from '../../src/transport/send.js';
import { rejection } from '../support/clients.js';

afterEach(() => vi.unstubAllGlobals());

describe('a client that wraps another', () => {
  const foreign = (() => {}) as unknown as Send;

  it('reports no credentials, and its inputs are checked when they are sent', async () => {
    expect(credentialsOf({ [SEND]: foreign } as Sender)).toEqual([]);
    await expect(checkInput(foreign, cardStatus, { unknown: 1 })).resolves.toBeUndefined();
  });
});

describe('a method that was taken off its client', () => {
  const client = new CardPlatformClient({ baseUrl: 'https://api.example.com', clientKey: 'k' });
  const { request, withAccessToken } = client;

  it.each([
    ['request', () => request('GET', '/v1/things')],
    ['withAccessToken', () => withAccessToken('token-of-ada')],
  ])('is refused: %s', (_, run) => {
    expect(run).toThrow(expect.objectContaining({ option: 'client', outcome: 'not_sent' }));
  });
});

describe('a client without a journal', () => {
  const { journal } = new CardPlatformClient({ baseUrl: 'https://api.example.com' });

  it('refuses to look anything up', async () => {
    const refused = { name: 'ConfigurationError', option: 'journal', outcome: 'not_sent' };
    expect(await rejection(journal.pending())).toMatchObject(refused);
    const entry = { id: '1', operation: 'x', at: 0, region: 'us', details: {} } as const;
    expect(await rejection(journal.reconcile(entry))).toMatchObject(refused);
    expect(await rejection(journal.remove(entry, 'executed'))).toMatchObject(refused);
  });
});

describe('the connections of an agent of the caller', () => {
  it('are not closed for want of file handles', () => {
    expect(agentOfCaller(new Agent({ keepAlive: true }), 5).closeIdle()).toBe(false);
  });
});

describe('a request that waits for a socket', () => {
  it('does not start after it has left the queue', () => {
    const slots = new SocketSlots(1);
    expect(slots.take()).toBe(true);
    const started: string[] = [];
    const leave = slots.wait(() => started.push('left'));
    slots.wait(() => started.push('stayed'));
    leave();
    slots.release();
    expect(started).toEqual(['stayed']);
  });

  it('does not start after it has left the queue for a file handle', () => {
    const slots = new SocketSlots(2);
    slots.take();
    slots.take();
    const started: string[] = [];
    const leave = slots.waitForHandle(() => started.push('left'));
    expect(leave).toBeTypeOf('function');
    leave?.();
    slots.release();
    expect(started).toEqual([]);
    expect(slots.take()).toBe(true);
  });

  it('does not wait for a file handle where no other request will return one', () => {
    const slots = new SocketSlots(2);
    slots.take();
    expect(slots.waitForHandle(() => {})).toBeUndefined();
  });
});

describe('a URL with a host in other letters', () => {
  it('is checked by the runtime where it can, and by our rules elsewhere', () => {
    const url = 'https://bücher.example';
    expect(isHttpsUrl(url)).toBe(true);
    vi.stubGlobal(
      'URL',
      class {
        constructor() {
          throw new TypeError('Invalid URL');
        }
      },
    );
    expect(isHttpsUrl(url)).toBe(false);
    vi.stubGlobal('URL', class {});
    expect(isHttpsUrl(url)).toBe(true);
    vi.stubGlobal('URL', undefined);
    expect(isHttpsUrl(url)).toBe(true);
  });

  it('stays one after thousands of calls, when the engine has optimized them', () => {
    const results = Array.from({ length: 20_000 }, () => isHttpsUrl('https://bücher.example'));
    expect(results.filter((one) => !one)).toEqual([]);
  });
});
