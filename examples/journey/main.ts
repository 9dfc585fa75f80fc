import { CardPlatformClient, OtpRequiredError } from 'card-platform-sdk';
import { delegateEvm } from 'card-platform-sdk/evm';
import { delegateSolana } from 'card-platform-sdk/solana';
import { mockEnvironment, serviceEnvironment } from './environment.js';
import { openLocalEvmWallet } from './local-evm-wallet.js';
import { openLocalSolanaWallet } from './local-solana-wallet.js';
import { expect, StepPrinter } from './step-printer.js';

// The complete journey of a partner. `npm run demo` runs it against the mock platform, without a
// network. With CARD_PLATFORM_BASE_URL and the variables in environment.ts it runs against a service.
const baseUrl = process.env['CARD_PLATFORM_BASE_URL'];
const ownWallet = baseUrl === undefined ? await openLocalEvmWallet() : undefined;
const solanaWallet = baseUrl === undefined ? await openLocalSolanaWallet() : undefined;
const environment = await (baseUrl === undefined
  ? mockEnvironment(ownWallet, solanaWallet)
  : serviceEnvironment(baseUrl));
const printer = new StepPrinter();
const appClient = new CardPlatformClient({
  ...environment.options,
  middleware: [printer.middleware],
});
const polling = { interval: environment.interval, onProgress: () => environment.passTime() };
const step = printer.step.bind(printer);

const otpError = await step('Log in without a code: the user has one-time passwords', async () => {
  const login = await appClient.auth.login(environment.login).safe();
  expect(login.error instanceof OtpRequiredError, 'the login to require a one-time password');
  return login.error;
});
await step('Send the code to the phone', () => appClient.auth.sendLoginOtp(otpError.otpRequest));
const session = await step('Log in with the code', async () =>
  appClient.auth.login({ ...environment.login, otpCode: await environment.readOtp() }),
);
expect(!session.phase, 'a session of a user who has finished onboarding');
const userClient = appClient.withAccessToken(session.accessToken);

const consent = await step('Record the consents of the onboarding', () =>
  appClient.consent.createOnboarding({
    onboardingId: environment.onboardingId,
    tenantId: environment.tenantId,
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
  appClient.consent.linkUser({
    consentSetId: consent.consentSetId,
    userId: session.userId ?? '',
  }),
);
expect(linked.userId === session.userId, 'the consent set to be linked to the user');

const verification = await step('Start the verification', () =>
  userClient.user.startVerification(),
);
await environment.completeVerification(verification.sessionUrl);
const verified = await step('Wait until the user is verified', () =>
  userClient.user.waitUntilVerified(polling),
);
expect(verified.verificationState === 'VERIFIED', 'the user to be verified');

await step('Order a card', () => userClient.card.order({ type: 'VIRTUAL' }));
const card = await step('Wait until it is active', () => userClient.card.waitUntilActive(polling));
expect(card.status === 'ACTIVE', 'the card to be active');
await step('Show its details', () => userClient.card.createDetailsToken());
await step('Show its PIN', () => userClient.card.createPinToken());
await step('Set its PIN', () => userClient.card.createSetPinToken({ isEmbedded: true }));
await step('Freeze it', () => userClient.card.freeze());
const refusal = await step(
  'Freeze it again',
  async () => (await userClient.card.freeze().safe()).error,
);
expect(refusal?.code === 'card_already_frozen', 'a frozen card not to freeze again');
await step('Unfreeze it', () => userClient.card.unfreeze());

const delegation = await step('Request a delegation token with faucet', () =>
  userClient.delegation.getToken({ faucet: true, address: environment.wallet, network: 'linea' }),
);
expect(delegation.token !== '', 'a token even when the faucet declines');
if (baseUrl === undefined) expect(delegation.faucetOutcome === 'failed', 'the faucet to decline');

if (ownWallet === undefined) {
  console.log('   The local chain (anvil) is not installed: skipping the EVM delegation.');
} else {
  const delegated = await step(
    "Delegate 250 USDC from the user's EVM wallet, on a local chain",
    () =>
      delegateEvm({
        ...ownWallet.delegation,
        client: userClient,
        runtime: { now: environment.now },
        onProgress: ({ status, message }) => console.log(`   ${status}: ${message}`),
      }),
  );
  expect(delegated.registration === 'accepted', 'the proof to be accepted');
  await ownWallet.stopChain();
}

if (solanaWallet !== undefined) {
  const delegated = await step(
    "Delegate 250 USDC from the user's Solana wallet, in a local VM",
    () =>
      delegateSolana({
        ...solanaWallet.delegation,
        client: userClient,
        runtime: { now: environment.now },
        onProgress: ({ status, message }) => console.log(`   ${status}: ${message}`),
      }),
  );
  expect(delegated.registration === 'accepted', 'the Solana proof to be accepted');
}

await step('Create a custodial wallet', () =>
  userClient.wallets.internal.create({ wallets: [{ network: 'linea', currency: 'usdc' }] }),
);
const [wallet] = await step('List the wallets', () => userClient.wallets.internal.list());
expect(wallet !== undefined, 'a wallet');
await step('Link it to the card', () =>
  userClient.wallets.internal.linkToCard({ addressId: wallet.addressId }),
);
environment.deposit('50');
await step('Withdraw from it', () =>
  userClient.wallets.internal.withdraw({
    amount: '12.5',
    currency: wallet.currency,
    sourceAddress: wallet.address,
    recipientAddress: environment.wallet,
  }),
);
const history = await step('Page through its history', () =>
  userClient.wallets.history.toArray(
    { walletId: wallet.id, walletType: 'INTERNAL', walletCurrency: wallet.currency },
    { limit: 100 },
  ),
);
if (baseUrl === undefined) expect(history.length === 25, '25 transactions on three pages');

const order = await step('Order a product', () =>
  userClient.orders.create({
    productId: environment.productId,
    paymentMethod: 'CRYPTO_EXTERNAL_GATEWAY',
  }),
);
expect(order.orderId !== '', 'an order');
const webhook = await step('Pause a webhook', () =>
  userClient.webhooks.update({ id: environment.webhookId, isActive: false }),
);
expect(webhook.data?.isActive === false, 'the webhook to be paused');
const rotated = await step('Rotate its signing key', () =>
  userClient.webhooks.rotateKey({ id: environment.webhookId }),
);
expect(rotated.data.apiKey !== webhook.data?.apiKey, 'a new signing key');

console.log(`\n${printer.steps} steps, ${printer.calls} calls, all as expected.`);
