import { CardPlatformClient, OtpRequiredError } from 'card-platform-sdk';
import { delegateEvm } from 'card-platform-sdk/evm';
import { delegateSolana } from 'card-platform-sdk/solana';
import { expect, Narrator } from './narrator.js';
import { localSolanaWallet } from './own-solana-wallet.js';
import { localWallet } from './own-wallet.js';
import { mockScene, realScene } from './scene.js';

// A partner's whole journey: `npm run demo` plays it against the mock platform, without a network.
// With CARD_PLATFORM_BASE_URL (and the variables that scene.ts names) it runs against a service.
const baseUrl = process.env['CARD_PLATFORM_BASE_URL'];
const ownWallet = baseUrl === undefined ? await localWallet() : undefined;
const solanaWallet = baseUrl === undefined ? await localSolanaWallet() : undefined;
const scene = await (baseUrl === undefined
  ? mockScene(ownWallet, solanaWallet)
  : realScene(baseUrl));
const narrator = new Narrator();
const platform = new CardPlatformClient({ ...scene.options, middleware: [narrator.middleware] });
const waiting = { interval: scene.interval, onProgress: () => scene.passTime() };
const step = narrator.step.bind(narrator);

const asked = await step('Login without a code: the user has one-time passwords', async () => {
  const login = await platform.auth.login(scene.login).safe();
  expect(login.error instanceof OtpRequiredError, 'a login that asks for a one-time password');
  return login.error;
});
await step('Send the code to the phone', () => platform.auth.sendLoginOtp(asked.otpRequest));
const session = await step('Login with the code', async () =>
  platform.auth.login({ ...scene.login, otpCode: await scene.readOtp() }),
);
const user = platform.withAccessToken(session.accessToken);

const consent = await step('Record the consents of the onboarding', () =>
  platform.consent.createOnboarding({
    onboardingId: scene.onboardingId,
    tenantId: scene.tenantId,
    policyType: 'global',
    consents: [
      { consentType: 'termsAndPrivacy', consentStatus: 'granted' },
      { consentType: 'marketingNotifications', consentStatus: 'denied' },
      { consentType: 'smsNotifications', consentStatus: 'granted' },
      { consentType: 'emailNotifications', consentStatus: 'granted' },
    ],
  }),
);
const linked = await step('Link them to the user', () =>
  platform.consent.linkUser({
    consentSetId: consent.consentSetId,
    userId: session.userId ?? '',
  }),
);
expect(linked.userId === session.userId, 'the consent set to be linked to the user');

const verification = await step('Start the verification', () => user.user.startVerification());
await scene.completeVerification(verification.sessionUrl);
const verified = await step('Wait until the user is verified', () =>
  user.user.waitUntilVerified(waiting),
);
expect(verified.verificationState === 'VERIFIED', 'the user to be verified');

await step('Order a card', () => user.card.order({ type: 'VIRTUAL' }));
const card = await step('Wait until it is active', () => user.card.waitUntilActive(waiting));
expect(card.status === 'ACTIVE', 'the card to be active');
await step('Show its details', () => user.card.createDetailsToken());
await step('Show its PIN', () => user.card.createPinToken());
await step('Set its PIN', () => user.card.createSetPinToken({ isEmbedded: true }));
await step('Freeze it', () => user.card.freeze());
const refusal = await step('Freeze it again', async () => (await user.card.freeze().safe()).error);
expect(refusal?.code === 'card_already_frozen', 'a frozen card not to freeze again');
await step('Unfreeze it', () => user.card.unfreeze());

const delegation = await step('Ask for a delegation token with faucet', () =>
  user.delegation.getToken({ faucet: true, address: scene.wallet, network: 'linea' }),
);
expect(delegation.token !== '', 'a token whatever the faucet did');
if (baseUrl === undefined) expect(delegation.faucetOutcome === 'failed', 'a faucet that declined');

if (ownWallet === undefined) {
  console.log('   The local chain (anvil) is not here: no delegation from the own wallet.');
} else {
  const delegated = await step('Delegate 250 USDC from the own wallet, on a local chain', () =>
    delegateEvm({
      ...ownWallet.delegation,
      client: user,
      runtime: { now: scene.now },
      onProgress: ({ status, message }) => console.log(`   ${status}: ${message}`),
    }),
  );
  expect(delegated.registration === 'accepted', 'the proof to be accepted');
  await ownWallet.end();
}

if (solanaWallet !== undefined) {
  const delegated = await step('Delegate 250 USDC from the own Solana wallet, in a local VM', () =>
    delegateSolana({
      ...solanaWallet.delegation,
      client: user,
      runtime: { now: scene.now },
      onProgress: ({ status, message }) => console.log(`   ${status}: ${message}`),
    }),
  );
  expect(delegated.registration === 'accepted', 'the Solana proof to be accepted');
}

await step('Create a custodial wallet', () =>
  user.wallets.internal.create({ wallets: [{ network: 'linea', currency: 'usdc' }] }),
);
const [wallet] = await step('List the wallets', () => user.wallets.internal.list());
expect(wallet !== undefined, 'a wallet');
await step('Let it pay for the card', () =>
  user.wallets.internal.linkToCard({ addressId: wallet.addressId }),
);
scene.deposit('50');
await step('Withdraw from it', () =>
  user.wallets.internal.withdraw({
    amount: '12.5',
    currency: wallet.currency,
    sourceAddress: wallet.address,
    recipientAddress: scene.wallet,
  }),
);
const history = await step('Page through its history', () =>
  user.wallets.history.toArray(
    { walletId: wallet.id, walletType: 'INTERNAL', walletCurrency: wallet.currency },
    { limit: 100 },
  ),
);
if (baseUrl === undefined) expect(history.length === 25, '25 transactions on three pages');

const order = await step('Order a product', () =>
  user.orders.create({ productId: scene.productId, paymentMethod: 'CRYPTO_EXTERNAL_GATEWAY' }),
);
expect(order.orderId !== '', 'an order');
const webhook = await step('Pause a webhook', () =>
  user.webhooks.update({ id: scene.webhookId, isActive: false }),
);
expect(webhook.data.isActive === false, 'the webhook to be paused');
const rotated = await step('Rotate its signing key', () =>
  user.webhooks.rotateKey({ id: scene.webhookId }),
);
expect(rotated.data.apiKey !== webhook.data.apiKey, 'another signing key');

console.log(`\n${narrator.steps} steps, ${narrator.calls} calls, all as expected.`);
