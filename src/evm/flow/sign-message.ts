import { isWithinToken } from '../../delegation/delegation-token.js';
import type { IssuedToken } from '../../delegation/driver.js';
import type { SignedMessage } from '../../delegation/state.js';
import {
  NonceNotAllowedError,
  SignerMismatchError,
  UnsupportedSignatureError,
} from '../../delegation/wallet-errors.js';
import { isCardPlatformError } from '../../errors/index.js';
import { checkSiweMessage } from '../siwe/check.js';
import { nonceIssue, parseDateTime } from '../siwe/rules.js';
import { checkSignature } from '../siwe/signature.js';
import { requestSignature } from '../wallets/wallet-requests.js';
import { isDelegatedCode } from './check-chain.js';
import { buildMessage, type EvmPlan, type EvmRun } from './plan.js';

/** Checks that the service's nonce is valid in a message. */
export function checkNonce({ options }: EvmPlan, { nonce }: IssuedToken): void {
  const issue = nonceIssue(nonce, options);
  if (issue !== undefined) throw new NonceNotAllowedError(issue);
}

/** Builds the message, asks for the signature, and checks it before anything costs a fee. */
export async function signMessage(run: EvmRun, { nonce }: IssuedToken): Promise<SignedMessage> {
  const { plan, context } = run;
  const issuedAt = context.serverNow();
  const expiresAt = Math.min(issuedAt + plan.messageLifetime, context.tokenExpiresAt());
  const text = buildMessage(plan, nonce, issuedAt, expiresAt);
  const response = await context.prompt(() => requestSignature(plan.wallet, text));
  const signature = await checkSignature(text, response, plan.owner).catch((error: unknown) =>
    explain(run, error),
  );
  return { text, signature, expiresAt };
}

/**
 * Names the kind of account whose signature the service cannot check, by its code on the chain. The
 * owner of a smart account signs with a key of another address: telling the user to choose another
 * account would not help. An account with EIP-7702 code has a key of its own, so its plain signature
 * is accepted before this; only its contract's signatures end here.
 */
async function explain({ plan, reader }: EvmRun, error: unknown): Promise<never> {
  const isKnown =
    error instanceof UnsupportedSignatureError
      ? error.accountKind !== undefined
      : !(error instanceof SignerMismatchError);
  if (isKnown) throw error;
  const code = await reader.code(plan.owner).catch(() => '0x');
  if (code === '0x') throw error;
  throw isDelegatedCode(code)
    ? new UnsupportedSignatureError(
        'the account has delegated to a contract (EIP-7702), and the signature is not made with its own key',
        'eip-7702',
      )
    : new UnsupportedSignatureError(
        'the account is a smart account, whose signature is made with the key of its owner',
        'eip-1271',
      );
}

/**
 * Whether a saved message is exactly the one that this flow builds for the token: the text is parsed,
 * rebuilt from the options and compared. The signature must be the wallet's own.
 */
export async function acceptsMessage(
  { plan, context }: EvmRun,
  { text, signature, expiresAt = 0 }: SignedMessage,
  { nonce }: IssuedToken,
): Promise<boolean> {
  const { options, owner, chainId, domain, uri } = plan;
  const { allowAnyNonce } = options;
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
