import { vi } from 'vitest';
import { type ToyNode, toyNode } from '../toy-chain/node.js';
import type { ToyDelegation } from '../toy-chain/plan.js';
import { type ApprovalRequest, type ToyWallet, ToyWalletError } from '../toy-chain/wallet.js';
import { isDead } from './judge.js';
import {
  type InteractionKind,
  NODE_KEY,
  OWNER,
  type Page,
  type Prompt,
  type Run,
} from './ledger.js';
import type { World } from './world.js';

const READ_TIMEOUT_MS = 15_000;
/** At least one of three consecutive responses of the nodes is true. */
const MAX_MISLEADING_READS = 2;

/** Lets a run wait until the model settles its request in one of the possible ways. */
export function interact<T>(
  world: World,
  run: Run,
  kind: InteractionKind,
  perform: (fate: string) => Promise<T>,
): Promise<T> {
  run.interactionCount++;
  return new Promise((resolve, reject) => {
    if (run.page.isClosed) return;
    const settle = async (fate: string) => {
      // The page is closed and the prompt is still there.
      if (fate === 'left open') return world.close(run.page);
      if (fate === 'closes page') {
        await perform('ok').catch(() => undefined);
        return world.close(run.page);
      }
      await perform(fate).then(resolve, reject);
    };
    world.pending.push({ run, kind, settle });
  });
}

export function walletOf(world: World, run: Run): ToyWallet {
  const { wallet } = world;
  return {
    chainId: () =>
      interact(world, run, 'wallet chain', async (fate) => {
        if (fate === 'fails') throw new ToyWalletError(4900, 'disconnected');
        return wallet.chain.id;
      }),
    sign: (text) =>
      interact(world, run, 'sign', async (fate) => {
        if (fate === 'declined') throw new ToyWalletError(4001, 'User rejected the request.');
        if (fate === 'fails') throw new ToyWalletError(4900, `disconnected (${text})`);
        return wallet.sign(text);
      }),
    sendApproval(request) {
      const prompt = open(world, run, request);
      return interact(world, run, 'approve', async (fate) => answer(world, prompt, fate));
    },
  };
}

function open(world: World, run: Run, request: ApprovalRequest): Prompt {
  for (const earlier of run.known) {
    if (isDead(world, earlier)) continue;
    world.violations.push('the wallet was asked again for an approval that can have an effect');
  }
  for (const other of world.prompts) {
    const isRunning = other.run !== run && world.running.includes(other.run);
    if (isRunning && !isDead(world, other))
      world.violations.push('two flows ask the wallet at once');
  }
  const prompt: Prompt = { run, request, status: 'open' };
  world.prompts.push(prompt);
  run.known.add(prompt);
  run.newest?.known.add(prompt);
  return prompt;
}

/** The user responds to a prompt. Returns what the wallet returns to the page. */
export function answer({ wallet }: World, prompt: Prompt, fate: string): string {
  prompt.status = 'declined';
  if (fate === 'declined') throw new ToyWalletError(4001, 'User rejected the request.');
  if (fate === 'nothing sent') throw new ToyWalletError(4900, 'disconnected');
  const { request } = prompt;
  const sent = wallet.confirm(request, fate === 'edited' ? request.amount / 2n : request.amount);
  prompt.status = 'sent';
  prompt.transaction = sent;
  if (fate === 'response lost') throw new ToyWalletError(4900, 'disconnected');
  return sent.id;
}

const LAGS: Readonly<Record<string, number>> = { behind: 1, 'far behind': 6 };

export function nodeOf(world: World, run: Run): ToyNode {
  const read = <T>(ask: (node: ToyNode) => Promise<T>): Promise<T> =>
    interact(world, run, 'node', async (wanted) => {
      const fate = world.misleadingReads >= MAX_MISLEADING_READS ? 'ok' : wanted;
      world.misleadingReads = fate === 'ok' ? 0 : world.misleadingReads + 1;
      if (fate === 'fails') throw new Error(`https://node.example/${NODE_KEY}: 429`);
      if (fate === 'hangs') {
        world.advance(READ_TIMEOUT_MS);
        run.sleptMs += READ_TIMEOUT_MS;
        vi.advanceTimersByTime(READ_TIMEOUT_MS);
      }
      return ask(toyNode(world.chain, LAGS[fate]));
    });
  return {
    chainId: () => read((node) => node.chainId()),
    transaction: (id) => read((node) => node.transaction(id)),
    account: (owner) => read((node) => node.account(owner)),
    transactionsOf: (owner, after) => read((node) => node.transactionsOf(owner, after)),
    allowance: (owner, spender) => read((node) => node.allowance(owner, spender)),
  };
}

/** The client of a page, whose calls wait for the model as well. */
export function clientOf(world: World, page: Page): ToyDelegation['client'] {
  const { client, mock } = world;
  const call = <T>(
    kind: 'token' | 'submit' | 'list',
    id: Parameters<typeof mock.fail>[0],
    send: (fate: string) => PromiseLike<T>,
  ): Promise<T> => {
    if (page.run === undefined) throw new Error('no run is running');
    return interact(world, page.run, kind, async (fate) => {
      if (fate === 'response lost') mock.drop(id, 'after-processing');
      if (fate === 'request lost') mock.drop(id, 'before-processing');
      if (fate === '503') mock.fail(id, 503);
      if (fate === '500') mock.fail(id, 500);
      if (fate === 'refused') mock.fail(id, { success: false });
      return send(fate);
    });
  };
  return {
    delegation: {
      getToken(input, options) {
        const withResponse = () =>
          call('token', 'delegation.getToken', () =>
            client.delegation.getToken(input, options).withResponse(),
          );
        const data = () => withResponse().then((response) => response.data);
        // biome-ignore lint/suspicious/noThenProperty: the client's own calls are lazy as well
        return { withResponse, then: (resolve, reject) => data().then(resolve, reject) };
      },
      submitEvmApproval: (proof, options) =>
        call('submit', 'delegation.submitEvmApproval', () =>
          client.delegation.submitEvmApproval(proof, options),
        ),
    },
    wallets: {
      external: {
        list: (options) =>
          call('list', 'wallets.external.list', async (fate) => {
            const list = await client.wallets.external.list(options);
            return fate === 'stale' ? list.filter(({ address }) => address !== OWNER) : list;
          }),
      },
    },
  };
}
