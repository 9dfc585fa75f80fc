import type { Connection } from '@solana/web3.js';
import { onTestFinished } from 'vitest';
import type { NewUser } from '../../../src/testing/index.js';
import { SolanaNode } from '../../chain/solana-node.js';
import { setUpScene } from './scene.js';

/**
 * Creates the scene with a JSON-RPC node in front of the VM, and a real `Connection` of
 * @solana/web3.js that every delegation of the scene uses.
 */
export async function setUpNodeScene(user: NewUser = {}) {
  const scene = await setUpScene(user);
  const node = await SolanaNode.start(scene.vm);
  onTestFinished(() => node.stop());
  const connection: Connection = node.connect();
  return {
    ...scene,
    node,
    connection,
    runDelegation: (changes: Parameters<typeof scene.runDelegation>[0] = {}) =>
      scene.runDelegation({ node: connection, ...changes }),
    delegateAndCatch: (changes: Parameters<typeof scene.delegateAndCatch>[0] = {}) =>
      scene.delegateAndCatch({ node: connection, ...changes }),
  };
}

/** The scene with a node and a connection of @solana/web3.js. */
export type NodeScene = Awaited<ReturnType<typeof setUpNodeScene>>;
