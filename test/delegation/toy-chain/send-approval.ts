import { isObject } from '../../../src/contract/formats/is-object.js';
import type { DriverContext } from '../../../src/delegation/driver.js';
import {
  UserRejectedError,
  WalletError,
  WrongChainError,
} from '../../../src/delegation/wallet-errors.js';
import { isUserRejection } from '../../../src/delegation/wallet-refusals.js';
import type { ToyDelegation } from './plan.js';
import { readAccount } from './reads.js';

/** The codes with which the wallet of the toy chain refuses before it sends anything. */
const SENT_NOTHING: readonly unknown[] = [4100, 4902, -32000];

/** Checks the chain of the wallet: the user may switch it at any time. */
export async function checkWalletChain(plan: ToyDelegation, context: DriverContext): Promise<void> {
  const actual = await context.read('the chain of the wallet', () => plan.wallet.chainId());
  if (actual !== plan.chainId) throw new WrongChainError('the wallet', plan.chainId, actual);
}

/** Saves the notes by which the approval can be found again, then asks the wallet for it. */
export async function sendApproval(plan: ToyDelegation, context: DriverContext): Promise<void> {
  const { chainId, owner: from, spender, amount, lifetime, wallet } = plan;
  await checkWalletChain(plan, context);
  const { height } = await readAccount(plan, context);
  const validUntil = lifetime === undefined ? undefined : height + lifetime;
  context.saveNotes({
    sentAfter: String(height),
    validUntil: validUntil?.toString(),
    nonce: undefined,
    missing: undefined,
    approved: undefined,
  });
  await context.promptApproval(() =>
    wallet.sendApproval({ chainId, from, spender, amount, validUntil }).catch(explain),
  );
}

function explain(error: unknown): never {
  if (isUserRejection(error)) throw new UserRejectedError(error);
  const sentNothing = isObject(error) && SENT_NOTHING.includes(error['code']);
  throw new WalletError('it refused the approval', sentNothing ? 'not_sent' : 'unknown', error);
}
