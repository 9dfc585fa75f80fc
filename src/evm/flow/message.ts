import type { DriverContext, IssuedToken } from '../../delegation/driver.js';
import { NonceNotAllowedError } from '../../delegation/flow-wallet-errors.js';
import type { SignedMessage } from '../../delegation/state.js';
import { isWithinToken } from '../../delegation/token-age.js';
import { SignerMismatchError, UnsupportedSignatureError } from '../../delegation/wallet-errors.js';
import { isCardPlatformError } from '../../errors/index.js';
import type { ChainReader } from '../chain/reader.js';
import { checkSiweMessage } from '../siwe/check.js';
import { parseDateTime } from '../siwe/date-time.js';
import { nonceIssue } from '../siwe/fields.js';
import { checkSignature } from '../siwe/signature.js';
import { requestSignature } from '../wallets/wallet-requests.js';
import { buildMessage, type EvmPlan } from './plan.js';

/** Checks that the service's nonce is valid in a message. */
export function checkNonce({ options }: EvmPlan, { nonce }: IssuedToken): void {
  const issue = nonceIssue(nonce, options);
  if (issue !== undefined) throw new NonceNotAllowedError(issue);
}

/** Builds the message, asks for the signature, and checks it before anything costs a fee. */
export async function signMessage(
  plan: EvmPlan,
  reader: ChainReader,
  { nonce }: IssuedToken,
  context: DriverContext,
): Promise<SignedMessage> {
  const issuedAt = context.serverNow();
  const expiresAt = Math.min(issuedAt + plan.messageLifetime, context.tokenExpiresAt());
  const text = buildMessage(plan, nonce, issuedAt, expiresAt);
  const response = await context.prompt(() => requestSignature(plan.wallet, text));
  const signature = await checkSignature(text, response, plan.owner).catch((error: unknown) =>
    explainMismatch(plan, reader, error),
  );
  return { text, signature, expiresAt };
}

/**
 * The owner of a smart account signs for it with a key of another address. Telling the user to choose
 * another account would not help.
 */
async function explainMismatch(
  { owner }: EvmPlan,
  reader: ChainReader,
  error: unknown,
): Promise<never> {
  if (!(error instanceof SignerMismatchError)) throw error;
  if (!(await reader.hasCode(owner).catch(() => false))) throw error;
  throw new UnsupportedSignatureError(
    'the account is a smart account, whose signature is made with the key of its owner',
  );
}

/**
 * Whether a saved message is exactly the one that this flow builds for the token: the text is parsed,
 * rebuilt from the options and compared. The signature must be the wallet's own.
 */
export async function acceptsMessage(
  plan: EvmPlan,
  { text, signature, expiresAt = 0 }: SignedMessage,
  { nonce }: IssuedToken,
  context: DriverContext,
): Promise<boolean> {
  const { options, owner, chainId } = plan;
  const { domain, uri, allowAnyNonce } = options;
  const expected = { domain, uri, chainId, nonce, address: owner, now: context.serverNow() };
  const checked = checkSiweMessage(text, { ...expected, allowAnyNonce });
  if (!checked.ok || !isWithinToken(expiresAt, context)) return false;
  const issuedAt = parseDateTime(checked.message.issuedAt);
  try {
    if (text !== buildMessage(plan, nonce, issuedAt, expiresAt)) return false;
    return (await checkSignature(text, signature, owner)) === signature;
  } catch (error) {
    if (isCardPlatformError(error)) return false;
    throw error;
  }
}
