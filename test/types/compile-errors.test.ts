import {
  type AccessSession,
  type ApiError,
  type Card,
  type CardPlatformClient,
  type CardPlatformError,
  isApiError,
  type LoginResult,
  type OnboardingPhase,
  type Order,
  type VerificationState,
} from 'card-platform-sdk';
import { expect, it } from 'vitest';

// The compiler judges these functions (`npm run types`): a line below `@ts-expect-error` must not
// compile, every other line must. Nothing here is called.

function errorCodes(error: CardPlatformError, apiError: ApiError, thrown: unknown): unknown {
  if (isApiError(thrown, 'card_already_frozen')) {
    const code: 'card_already_frozen' = thrown.code;
    return code;
  }
  return [
    // @ts-expect-error the code is misspelled
    isApiError(thrown, 'card_already_frozn'),
    // @ts-expect-error a timeout is not an error of the service
    isApiError(thrown, 'timeout'),
    error.code === 'insufficient_balance',
    error.code === 'timeout',
    error.code === 'user_rejected',
    // @ts-expect-error the code is misspelled
    error.code === 'insuficient_balance',
    // @ts-expect-error a timeout is not an error of the service
    apiError.code === 'timeout',
  ];
}

function cardOrder({ card }: CardPlatformClient): unknown {
  // @ts-expect-error only a virtual card can be ordered
  return [card.order(), card.order({ type: 'VIRTUAL' }), card.order({ type: 'METAL' })];
}

function walletHistory({ wallets: { history } }: CardPlatformClient): unknown {
  const walletId = 'wallet_1';
  return [
    history.list({ walletId, walletType: 'INTERNAL', walletCurrency: 'usdc', page: 1 }),
    history.list({ walletId, walletType: 'CREDIT' }),
    // @ts-expect-error a history of an internal wallet needs its currency
    history.list({ walletId, walletType: 'INTERNAL' }),
    // The contract requires a currency of internal wallets only, and forbids it nowhere.
    history.iterate({ walletId, walletType: 'REWARD', walletCurrency: 'usdc' }),
  ];
}

function fieldsThatGoTogether({ card, delegation }: CardPlatformClient): unknown {
  return [
    card.transactions({ dateFrom: '2026-01-01', dateTo: '2026-01-31' }),
    card.transactions({ searchKey: 'coffee' }),
    // @ts-expect-error a period needs both of its days
    card.transactions({ dateFrom: '2026-01-01' }),
    delegation.getToken({ faucet: true, address: '0x52908400098527886E', network: 'linea' }),
    delegation.getToken({ faucet: false }),
    // @ts-expect-error the faucet needs an address and a network
    delegation.getToken({ faucet: true }),
  ];
}

function sessions(client: CardPlatformClient, session: LoginResult): unknown {
  // @ts-expect-error onboarding may not be finished, so there may be no token
  client.withAccessToken(session.accessToken);
  // @ts-expect-error nothing is not a token
  client.withAccessToken(undefined);
  if (session.phase) {
    const step: OnboardingPhase = session.phase;
    // @ts-expect-error a user who has not finished onboarding may have no token
    client.withAccessToken(session.accessToken);
    // @ts-expect-error the step is misspelled
    const isAccount = step === 'Account';
    return [step === 'ACCOUNT', String(step) === 'A_NEW_STEP', isAccount];
  }
  const finished: AccessSession = session;
  return [finished, client.withAccessToken(session.accessToken)];
}

function openLists({ delegation, orders }: CardPlatformClient, added: string): unknown {
  return [
    orders.create({ productId: 'p-1', paymentMethod: added }),
    orders.create({ productId: 'p-1', paymentMethod: 'BANK_TRANSFER' }),
    delegation.getToken({ faucet: true, address: added, network: 'base-sepolia' }),
    // @ts-expect-error a payment method is a string
    orders.create({ productId: 'p-1', paymentMethod: 1 }),
  ];
}

function statuses({ status }: Card): unknown {
  // @ts-expect-error the status is misspelled
  if (status === 'Active') return status;
  // @ts-expect-error this value is not on the list of the contract
  if (status === 'LOST') return status;
  // A value that the service has added is a string like any other.
  if (String(status) === 'LOST') return status;
  switch (status) {
    case 'ACTIVE':
      return 1;
    // @ts-expect-error the status is misspelled
    case 'Frozen':
      return 2;
    default: {
      const text: string = status;
      // @ts-expect-error a value may be none of the list
      const listed: 'FROZEN' | 'BLOCKED' | 'PENDING' | 'INACTIVE' = status;
      return [text.toLowerCase(), listed, new Map([['ACTIVE', 1]]).get(status)];
    }
  }
}

function values({ type }: Card, state: VerificationState, order: Order): unknown {
  // @ts-expect-error the type is misspelled
  const isVirtual = type === 'Virtual';
  // @ts-expect-error the state is misspelled
  const isVerified = state === 'verified';
  // @ts-expect-error the status is misspelled
  return [isVirtual, isVerified, order.status === 'Completed'];
}

it('wrong codes and values, incomplete combinations of fields and wrong session values do not compile, but open lists do', () => {
  for (const judged of [
    errorCodes,
    walletHistory,
    fieldsThatGoTogether,
    sessions,
    openLists,
    cardOrder,
    statuses,
    values,
  ]) {
    expect(judged).toBeTypeOf('function');
  }
});
