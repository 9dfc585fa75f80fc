import { describe, expect, it } from 'vitest';
import { delegateEvm } from '../../src/evm/index.js';
import { delegateSolana } from '../../src/solana/index.js';

const client = { delegation: {} };
const FLOWS = [
  ['delegateEvm', delegateEvm, 'publicClient'],
  ['delegateSolana', delegateSolana, 'connection'],
] as const;

/** As a caller without types would. */
const run = (flow: unknown, options?: unknown) =>
  (flow as (given: unknown) => Promise<unknown>)(options);

describe.each(FLOWS)('%s refuses before anything happens', (_name, flow, node) => {
  it.each([
    ['nothing', undefined, 'options'],
    ['no client', {}, 'client'],
    ['a client that is none', { client: {} }, 'client'],
    ['no wallet', { client, [node]: {} }, 'wallet'],
    ['null for a wallet', { client, wallet: null, [node]: {} }, 'wallet'],
    ['a text for a wallet', { client, wallet: '0x52', [node]: {} }, 'wallet'],
    ['no node', { client, wallet: {} }, node],
    ['a URL for a node', { client, wallet: {}, [node]: 'https://rpc.example.com' }, node],
  ])('%s', async (_what, options, path) => {
    await expect(run(flow, options)).rejects.toMatchObject({
      name: 'RequestValidationError',
      issues: [{ path }],
    });
  });
});
