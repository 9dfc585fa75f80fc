import { MAX_FAILED_LOGINS } from '../testing/users.js';
import type { Control } from './control/control-action.js';

const LAST_REQUESTS = 20;
const LAST_MESSAGES = 20;

/** Returns the state that the sandbox shows. It contains no password, token or key. */
export function publicState({ platform, now }: Pick<Control, 'platform' | 'now'>) {
  return {
    now: new Date(platform.now).toISOString(),
    clockAhead: platform.now - now(),
    baseUrl: platform.baseUrl,
    choices: platform.state.choices,
    tenants: platform.state.tenants.map(({ name }) => name),
    users: platform.state.users.map((user) => ({
      id: user.id,
      tenant: user.tenant,
      isLinked: user.isLinked,
      email: user.email,
      verificationState: user.verificationState,
      isDisabled: user.isDisabled,
      isLocked: user.failedLogins >= MAX_FAILED_LOGINS,
      environment: user.environment,
      otp: platform.otpFor(user) ?? null,
      card: user.card && {
        status: user.card.status,
        panLast4: user.card.panLast4,
        holderName: user.card.holderName,
      },
      creditWallet: user.creditWallet,
      internalWallets: user.internalWallets.map(({ network, currency, balance, addressId }) => ({
        network,
        currency,
        balance,
        addressId,
        isLinked: user.linkedWallets.includes(addressId),
      })),
      externalWallets: user.externalWallets,
      orders: user.orders,
    })),
    messages: (platform.state.observed?.messages ?? [])
      .slice(-LAST_MESSAGES)
      .map(({ channel, to, purpose, code, sentAt }) => ({ channel, to, purpose, code, sentAt })),
    deliveries: platform.deliveries
      .slice(-LAST_REQUESTS)
      .map(({ eventId, eventType, url, attemptNumber, status, deliveryStatus }) => {
        return { eventId, eventType, url, attemptNumber, status, deliveryStatus };
      }),
    requests: platform.requests
      .slice(-LAST_REQUESTS)
      .map(({ operation, method, path, status }) => ({
        operation: operation ?? null,
        method,
        path: path.replace(/\?.*/, ''),
        status: status ?? null,
      })),
  };
}

/** The result of {@link publicState}. */
export type PublicState = ReturnType<typeof publicState>;
