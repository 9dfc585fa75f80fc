import { equalsIgnoringCase } from '../../contract/formats/ignore-case.js';
import { DELEGATION_TOKEN_LIFETIME_MS } from '../../contract/formats/token-lifetimes.js';
import {
  type Behaviours,
  errorResponse,
  fieldErrors,
  type MockCall,
  type MockResponse,
  ok,
  textOf,
} from '../behaviour.js';
import { configFor } from '../chain-config.js';
import type { ProofVerifier } from '../proofs.js';

function issueToken({ state, clock, ids, user }: MockCall) {
  const token = ids.token();
  const nonce = ids.hex(24);
  const expiresAt = clock.now() + DELEGATION_TOKEN_LIFETIME_MS;
  state.delegationTokens.push({ token, nonce, userId: user.id, expiresAt, isUsed: false });
  return { token, nonce };
}

function requestFaucet(call: MockCall) {
  const { user, ids } = call;
  const network = textOf(call, 'network');
  if (user.isFaucetUsed) {
    return { success: false, network, status: 'declined', error: 'Faucet was already used' };
  }
  if (user.faucet === 'declined') {
    return { success: false, network, status: 'declined', error: 'Not eligible' };
  }
  user.isFaucetUsed = true;
  const newHash = () => (network === 'solana' ? ids.solanaSignature() : ids.evmHash());
  return user.faucet === 'confirmed'
    ? { success: true, network, status: 'confirmed', transactionHash: newHash() }
    : { success: true, network, status: 'pending', message: 'Transfer is on its way' };
}

/** The wallet of a proof, if it is registered. The case of an EVM address means nothing. */
function registeredWallet({ user, input }: MockCall) {
  const given = input['address'];
  return user.externalWallets.find(
    ({ address, network, currency }) =>
      (address.startsWith('0x') ? equalsIgnoringCase(given, address) : address === given) &&
      network === input['network'] &&
      currency === input['currency'],
  );
}

/** Returns whether the `Expiration Time:` line of a signed message is in the past. */
function hasExpired(message: string, now: number): boolean {
  const [, expiresAt] = /^Expiration Time: (.*)$/m.exec(message) ?? [];
  return expiresAt !== undefined && Date.parse(expiresAt) <= now;
}

const submitApproval =
  (verifier: (call: MockCall) => ProofVerifier) =>
  async (call: MockCall): Promise<MockResponse> => {
    const { state, clock, user, isUs } = call;
    const issued = state.delegationTokens.find(
      ({ token, userId }) => token === textOf(call, 'token') && userId === user.id,
    );
    if (issued === undefined) return fieldErrors({ field: 'token', message: 'Token is not known' });
    const used = () => fieldErrors({ field: 'token', message: 'Token was already used' });
    if (issued.isUsed) return used();
    if (issued.expiresAt <= clock.now())
      return fieldErrors({ field: 'token', message: 'Token has expired' });
    const text = (field: string) => textOf(call, field);
    const proof = {
      address: text('address'),
      network: text('network'),
      currency: text('currency'),
      amount: text('amount'),
      txHash: text('txHash'),
      sigHash: text('sigHash'),
      sigMessage: text('sigMessage'),
      nonce: issued.nonce,
      isUs,
    };
    if (state.choices.expiredMessage === 'refused' && hasExpired(proof.sigMessage, clock.now())) {
      return fieldErrors({ field: 'sigMessage', message: 'Message has expired' });
    }
    const mayNotApproveAgain = () =>
      state.choices.secondApproval === 'refused' && registeredWallet(call) !== undefined;
    const refusedAgain = () => errorResponse(422, 'Wallet already approved');
    if (mayNotApproveAgain()) return refusedAgain();
    const invalid = await verifier(call)(proof);
    if (invalid !== undefined) return fieldErrors(invalid);
    // Another request may have come while the proof was verified.
    if (issued.isUsed) return used();
    if (mayNotApproveAgain()) return refusedAgain();
    issued.isUsed = true;
    const registered = registeredWallet(call);
    const { address, currency, network, amount } = proof;
    if (registered !== undefined) registered.allowance = amount;
    else user.externalWallets.push({ address, currency, balance: '0', allowance: amount, network });
    return ok({ success: true });
  };

/** Behaviours of the delegation endpoints. */
export const delegationBehaviours: Behaviours = {
  'delegation.getToken': (call) => {
    const issued = issueToken(call);
    if (call.input['faucet'] !== true) return ok(issued);
    const faucet = requestFaucet(call);
    return ok({ ...issued, faucet }, faucet.success ? 200 : 207);
  },
  'delegation.submitEvmApproval': submitApproval(({ proofs }) => proofs.evm),
  'delegation.submitSolanaApproval': submitApproval(({ proofs }) => proofs.solana),
  'delegation.chainConfig': ({ state, query, isUs }) =>
    ok(configFor(state, isUs, query.get('network'))),
};
