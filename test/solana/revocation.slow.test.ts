import { describe, expect, it } from 'vitest';
import {
  buildSolanaApproval,
  delegationStateOf,
  revokeSolanaDelegation,
  type SolanaRevocationOptions,
} from '../../src/solana/index.js';
import { toKitInstruction } from '../../src/solana/kit/index.js';
import { signerOf } from '../chain/local-vm.js';
import { type NodeScene, setUpNodeScene } from './support/node-scene.js';
import { afterReload, mintOptions, someAddress } from './support/scene.js';

/** The scene after a delegation of 100.5 USDC, with a service that replaces limits. */
async function setUpDelegated() {
  const scene = await setUpNodeScene();
  scene.mock.state.choices.secondApproval = 'replaces-limit';
  await scene.runDelegation();
  scene.prompts.length = 0;
  scene.node.requests.length = 0;
  return scene;
}

const optionsOf = (scene: NodeScene, changes: Partial<SolanaRevocationOptions>) => {
  const { amount: _, ...options } = scene.options({ node: scene.connection });
  return { ...options, ...changes };
};
const revoke = (scene: NodeScene, changes: Partial<SolanaRevocationOptions> = {}) =>
  revokeSolanaDelegation(optionsOf(scene, changes));
const revokeAndCatch = async (scene: NodeScene, changes: Partial<SolanaRevocationOptions> = {}) => {
  const error: unknown = await revoke(scene, changes).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  const state = delegationStateOf(error);
  return { error, state: state && afterReload(state) };
};

describe('a revocation on Solana', () => {
  it('removes the delegate and registers a limit of zero', async () => {
    const scene = await setUpDelegated();
    const result = await revoke(scene);
    expect(result).toMatchObject({ registration: 'accepted', amount: '0', network: 'solana' });
    expect(await scene.currentDelegation()).toEqual({ delegate: null, amount: 0n });
    expect(scene.registeredWallets()).toMatchObject([{ allowance: '0' }]);
    expect(scene.prompts).toEqual(['message', 'transaction']);
    expect(scene.node.requests.length).toBeLessThanOrEqual(8);
  });

  it('with approve-zero approves the same delegate with zero', async () => {
    const scene = await setUpDelegated();
    const result = await revoke(scene, { revokeWith: 'approve-zero' });
    expect(result.registration).toBe('accepted');
    expect(await scene.currentDelegation()).toEqual({ delegate: scene.delegate, amount: 0n });
  });

  it('with submit: false changes only the chain', async () => {
    const scene = await setUpDelegated();
    const before = scene.mock.requests.length;
    const result = await revoke(scene, { submit: false });
    expect(result.registration).toBe('not-submitted');
    expect(await scene.currentDelegation()).toEqual({ delegate: null, amount: 0n });
    expect(scene.prompts).toEqual(['transaction']);
    expect(scene.mock.requests).toHaveLength(before);
    expect(scene.registeredWallets()).toMatchObject([{ allowance: '100.5' }]);
  });

  it('with submit: false needs no currency that the client would submit', async () => {
    const scene = await setUpDelegated();
    const { error } = await revokeAndCatch(scene, { currency: 'eurc' });
    expect(error).toMatchObject({ code: 'request_invalid', outcome: 'not_sent' });
    const result = await revoke(scene, { currency: 'eurc', submit: false });
    expect(result.registration).toBe('not-submitted');
    expect(await scene.currentDelegation()).toEqual({ delegate: null, amount: 0n });
  });

  it('does not remove another delegate unless it is asked for', async () => {
    const scene = await setUpDelegated();
    const { mint, address: owner, keypair, vm } = scene;
    const delegate = someAddress();
    const other = buildSolanaApproval({
      ...mintOptions(mint),
      owner,
      spender: delegate,
      amount: 9n,
    });
    await vm.send(await signerOf(keypair), [toKitInstruction(other)]);
    const { error } = await revokeAndCatch(scene);
    expect(error).toMatchObject({ code: 'delegate_in_use', outcome: 'not_sent' });
    expect(scene.prompts).toEqual([]);
    await revoke(scene, { replaceSpender: true });
    expect(await scene.currentDelegation()).toEqual({ delegate: null, amount: 0n });
  });

  it('is resumed after the user declined, and asks once more', async () => {
    const scene = await setUpDelegated();
    const declined = {
      ...scene.wallet,
      signTransaction: () => Promise.reject(new Error('User rejected the request.')),
    };
    const { error, state } = await revokeAndCatch(scene, { wallet: declined });
    expect(error).toMatchObject({ code: 'user_rejected', outcome: 'not_sent' });
    const result = await revoke(scene, { resume: state });
    expect(result.registration).toBe('accepted');
    expect(scene.prompts).toEqual(['message', 'transaction']);
  });

  it('ends with revocation_not_registered when the service refuses, and the limit is gone', async () => {
    const scene = await setUpDelegated();
    scene.mock.state.choices.secondApproval = 'refused';
    const { error, state } = await revokeAndCatch(scene);
    expect(error).toMatchObject({ code: 'revocation_not_registered' });
    expect(await scene.currentDelegation()).toEqual({ delegate: null, amount: 0n });
    scene.mock.state.choices.secondApproval = 'replaces-limit';
    expect(await revoke(scene, { resume: state })).toMatchObject({ registration: 'accepted' });
    expect(scene.prompts).toEqual(['message', 'transaction']);
  });

  it('ends with approval_mismatch when the wallet signed something else', async () => {
    const scene = await setUpDelegated();
    const { mint, address: owner, keypair, vm } = scene;
    const { error } = await revokeAndCatch(scene, {
      wallet: {
        address: owner,
        signMessage: scene.wallet.signMessage,
        async sendTransaction() {
          const other = buildSolanaApproval({
            ...mintOptions(mint),
            owner,
            spender: scene.delegate,
            amount: 9n,
          });
          return vm.sendRecorded(await signerOf(keypair), [toKitInstruction(other)]);
        },
      },
    });
    expect(error).toMatchObject({ code: 'approval_mismatch', outcome: 'executed' });
  });

  it.each<[string, object]>([
    ['revokeWith', { revokeWith: 'burn' }],
    ['submit', { submit: 'no' }],
    ['spender', { spender: 'x' }],
    ['domain', { domain: '' }],
  ])('with an invalid %s is refused before anything happens', async (path, changes) => {
    const scene = await setUpDelegated();
    const before = scene.mock.requests.length;
    const { error } = await revokeAndCatch(scene, changes);
    expect(error).toMatchObject({ code: 'request_invalid', issues: [{ path }] });
    expect(scene.prompts).toEqual([]);
    expect(scene.mock.requests).toHaveLength(before);
    expect(scene.node.requests).toEqual([]);
  });

  it('cannot be resumed as a delegation', async () => {
    const scene = await setUpDelegated();
    const declined = {
      ...scene.wallet,
      signTransaction: () => Promise.reject(new Error('User rejected the request.')),
    };
    const { state } = await revokeAndCatch(scene, { wallet: declined });
    const { error } = await scene.delegateAndCatch({ resume: state });
    expect(error).toMatchObject({ code: 'state_mismatch' });
  });
});
