import { throwIfAborted } from '../contract/formats/abort-reason.js';
import { type CardPlatformError, isApiError, isCardPlatformError } from '../errors/index.js';
import { hadNoEffect } from './approval-errors.js';
import { type DelegationTokenResult, type TokenCall, unrecorded } from './client.js';
import { MIN_TIME_TO_SIGN_MS, parseIssuedToken, readClockOffset } from './delegation-token.js';
import { DelegationTokenExpiredError } from './flow-errors.js';
import { needsFaucet, requireFunds, shouldAskFaucet } from './network-fee.js';
import type { DelegationRun } from './run.js';
import type { SignedMessage } from './state.js';

type SavedToken = NonNullable<DelegationRun['state']['token']>;

/**
 * Makes sure that there is a token with at least `timeLeft` milliseconds left and a signed message
 * for it. The wallet is asked only if there is no valid message.
 */
export async function prepareTokenAndMessage(run: DelegationRun, timeLeft: number): Promise<void> {
  const { token: saved, message } = run.state;
  if (saved && message && run.tokenTimeLeft() >= timeLeft && !needsFaucet(run)) {
    if (await run.driver.acceptsMessage(message, saved, run)) {
      run.skip('token');
      run.skip('message-signed');
      return;
    }
  }
  const token = await getUsableToken(run);
  await run.runStep('local-checks', () => checkToken(run, token));
  requireFunds(run);
  await signMessage(run, token);
}

/** Checks the token and drops one that cannot be used, so that a resumed flow gets another one. */
function checkToken(run: DelegationRun, token: SavedToken): void {
  try {
    run.driver.checkToken(token);
  } catch (error) {
    run.update({ token: undefined, message: undefined });
    throw error;
  }
}

/**
 * Requires that the token is valid for at least `timeLeft` milliseconds more. This run has already
 * asked the wallet to sign, so only a resumed flow asks again, when the user wants it.
 *
 * @throws DelegationTokenExpiredError when the token expires earlier.
 */
export function requireTimeLeft(run: DelegationRun, timeLeft: number): void {
  if (run.tokenTimeLeft() >= timeLeft) return;
  run.update({ token: undefined, message: undefined });
  throw new DelegationTokenExpiredError(run.state.approval?.status === 'verified');
}

async function getUsableToken(run: DelegationRun): Promise<SavedToken> {
  const { token } = run.state;
  if (token && run.tokenTimeLeft() >= MIN_TIME_TO_SIGN_MS && !needsFaucet(run)) {
    run.skip('token');
    return token;
  }
  return run.runStep('token', () => requestToken(run));
}

async function requestToken(run: DelegationRun): Promise<SavedToken> {
  const requestedAt = run.now();
  const { response, clockOffset } = await fetchToken(run);
  const token = { ...parseIssuedToken(response), requestedAt, clockOffset };
  run.update({ token, message: undefined });
  reportFaucet(run, response);
  return token;
}

function reportFaucet(run: DelegationRun, { faucet, faucetOutcome }: DelegationTokenResult): void {
  const { success, status } = faucet ?? {};
  const hasFailed = faucetOutcome === 'failed' || success === false || status === 'declined';
  // A transfer that is pending may arrive, whatever else the response reports.
  const isOver = hasFailed && status !== 'pending';
  if (isOver) run.update({ faucetExpected: undefined });
  const shown = faucet == null ? {} : { faucet };
  if (isOver) run.emit('waiting', NOT_PROVIDED, shown);
  else if (faucet && faucetOutcome !== 'unknown') run.emit('waiting', PROVIDED, shown);
}

const PROVIDED = 'The network fee was paid into your wallet or is on its way.';
const NOT_PROVIDED = 'The network fee could not be provided, so your wallet pays it.';

async function fetchToken(run: DelegationRun): ReturnType<typeof readClockOffset> {
  const { client, region, signal } = run.options;
  const where = region === undefined ? {} : { region };
  const read = (call: TokenCall) => run.abortable(readClockOffset(call, () => run.now()));
  const plain = () => read(client.delegation.getToken(where, { signal }));
  if (!shouldAskFaucet(run)) return plain();
  run.update({ faucetAsked: true, faucetExpected: true });
  await run.saved();
  const { address, network } = run.driver.proof;
  const asked = { ...where, faucet: true, address, network };
  try {
    return await read(client.delegation.getToken(asked, unrecorded(signal)));
  } catch (error) {
    throwIfAborted(signal);
    if (!isCardPlatformError(error)) throw error;
    const { outcome } = error;
    if (hadNoEffect(error)) run.update({ faucetExpected: undefined });
    if (isNotAboutFaucet(error)) {
      run.update({ faucetAsked: false });
      throw error;
    }
    run.report(
      outcome === 'unknown' || outcome === 'executed'
        ? 'It is unknown whether the network fee was provided. It is not requested again.'
        : NOT_PROVIDED,
    );
    return plain();
  }
}

/**
 * Whether the request for a token would have failed without the faucet too. A request that the client
 * finds invalid names a network without a faucet. Any status other than these four means that the
 * faucet was refused.
 */
function isNotAboutFaucet(error: CardPlatformError): boolean {
  if (error.outcome === 'not_sent') return error.code !== 'request_invalid';
  return isApiError(error) && [401, 429, 498, 499].includes(error.status);
}

async function signMessage(run: DelegationRun, token: SavedToken): Promise<void> {
  const { driver } = run;
  const sign = async (): Promise<SignedMessage> => {
    const message = await driver.signMessage(token, run);
    run.update({ message });
    return message;
  };
  await run.runStep('message-signed', sign, { needsUser: true });
}
