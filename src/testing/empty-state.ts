import { defaultChainConfig } from './chain-config.js';
import { choicesFrom } from './choices.js';
import type { MockPlatformOptions } from './options.js';
import type { MockState } from './state.js';
import { DEFAULT_CREDENTIALS, DEFAULT_TENANT } from './tenants.js';

/** Returns the state of a new platform. */
export function emptyState({
  chainConfig,
  usChainConfig,
  choices,
  credentials,
}: MockPlatformOptions): MockState {
  return {
    users: [],
    sessions: [],
    loginAttempts: [],
    otps: [],
    delegationTokens: [],
    consentSets: [],
    auditRecords: [],
    webhooks: [],
    deliveries: [],
    pages: [],
    products: [{ id: 'metal-card', description: 'Metal card', isEligible: true }],
    chainConfig: chainConfig ?? defaultChainConfig(),
    usChainConfig: usChainConfig ?? null,
    choices: choicesFrom(choices),
    tenants: [{ name: DEFAULT_TENANT, ...DEFAULT_CREDENTIALS, ...credentials }],
    isReferralActive: true,
    isCustodial: true,
    isNotificationServiceConfigured: true,
  };
}
