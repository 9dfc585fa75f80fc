import { describe, expect, it } from 'vitest';
import { delegateEvm } from '../../src/evm/index.js';
import { delegateSolana } from '../../src/solana/index.js';

const client = { delegation: {} };
const FLOWS = [
  ['delegateEvm', delegateEvm, 'node'],
  ['delegateSolana', delegateSolana, 'node'],
] as const;

/** Calls a flow as a caller without types would. */
const run = (flow: unknown, options?: unknown) =>
  (flow as (given: unknown) => Promise<unknown>)(options);

describe.each(
  FLOWS,
)('%s rejects with a validation error before anything happens', (_name, flow, node) => {
  it.each([
    ['there are no options', undefined, 'options'],
    ['there is no client', {}, 'client'],
    ['the client has no methods', { client: {} }, 'client'],
    ['there is no wallet', { client, [node]: {} }, 'wallet'],
    ['the wallet is null', { client, wallet: null, [node]: {} }, 'wallet'],
    ['the wallet is a string', { client, wallet: '0x52', [node]: {} }, 'wallet'],
    ['there is no node', { client, wallet: {} }, node],
    ['the node is a URL', { client, wallet: {}, [node]: 'https://rpc.example.com' }, node],
  ])('when %s', async (_case, options, path) => {
    await expect(run(flow, options)).rejects.toMatchObject({
      name: 'RequestValidationError',
      issues: [{ path }],
    });
  });
});
