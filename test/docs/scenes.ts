import { expect, vi } from 'vitest';
import type { Exported } from './run-block.js';
import type { Stage } from './stage.js';

/** What a page needs around its blocks, and what its reader does with what they export. */
export type Scene = {
  /** Names that blocks use without declaring them, besides `platform` and `user`. */
  names?: Readonly<Record<string, unknown>>;
  /** Modules that are played by the test. */
  modules?: Readonly<Record<string, object>>;
  /** Uses what a block exports. The first block is number 1. */
  use?: (exported: Exported, block: number) => unknown;
  /** Ends what the scene has started. */
  end?: () => unknown;
};

/** Calls a function that a block exports. */
async function call(exported: unknown, ...input: unknown[]): Promise<unknown> {
  expect(exported).toBeTypeOf('function');
  return (exported as (...input: unknown[]) => unknown)(...input);
}

/** The scenes of the pages that need one, by the page's file name. */
export const SCENES: Readonly<Record<string, (stage: Stage) => Scene | Promise<Scene>>> = {
  'getting-started.md': ({ mock, ada, after }) => {
    Object.assign(ada, { card: null, verificationState: 'UNVERIFIED' });
    after['user.startVerification'] = () => mock.verify(ada);
    after['user.get'] = () => mock.advance('5 minutes');
    return { names: { redirect: () => {} } };
  },

  'login.md': ({ mock, ada, platform }) => {
    const logIn = async ({ logIn }: Exported) => {
      ada.otpEnabled = true;
      const login = { email: 'ada@example.com', password: 'a secret' };
      await call(logIn, platform, login, async () => mock.otpFor(ada));
      ada.otpEnabled = false;
    };
    const sessions = {
      read: async () => 'a-token-that-has-ended',
      logInAgain: async () => mock.accessTokenFor(ada),
    };
    return { names: { sessions }, use: (exported, block) => block === 1 && logIn(exported) };
  },

  'cards.md': ({ ada }) => {
    ada.card = null;
    const window = new EventTarget();
    vi.stubGlobal('addEventListener', window.addEventListener.bind(window));
    vi.stubGlobal('removeEventListener', window.removeEventListener.bind(window));
    const setPin = async ({ setPin }: Exported) => {
      const frame = { contentWindow: window, src: '', remove: vi.fn() };
      await call(setPin, frame, new AbortController().signal);
      const message = { origin: new URL(frame.src).origin, source: window, data: 'abort' };
      window.dispatchEvent(Object.assign(new Event('message'), message));
      expect(frame.remove).toHaveBeenCalledOnce();
    };
    return { use: (exported, block) => block === 3 && setPin(exported) };
  },

  'wallets.md': ({ mock, ada }) => {
    const own = { address: '0x52908400098527886E0F7030069857D2E4169EE7', network: 'linea' };
    ada.externalWallets.push({ ...own, currency: 'usdc', balance: '0', allowance: '250' });
    const deposit = { name: 'Deposit', amount: '1', currency: 'xrp', sign: 'credit' } as const;
    const date = new Date(mock.now).toISOString();
    const walletId = ada.internalWallets[0]?.id ?? '';
    mock.addTransactions(ada, walletId, Array(24).fill({ ...deposit, date }));
    return {};
  },

  'orders.md': ({ mock, ada, after }) => {
    let looks = 0;
    after['orders.get'] = () => {
      const { orderId } = ada.orders.at(-1) ?? {};
      if (++looks > 1 && orderId) mock.settleOrder(orderId, 'COMPLETED');
    };
    return {};
  },
};
