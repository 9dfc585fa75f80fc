import type { ChainConfig } from '../contract/delegation.js';
import { defaultChainConfig } from './chain-config.js';
import type { MockState } from './state.js';

/** Returns the state of a new platform. */
export function emptyState(chainConfig: ChainConfig | undefined): MockState {
  return {
    users: [],
    sessions: [],
    otps: [],
    delegationTokens: [],
    consentSets: [],
    auditRecords: [],
    webhooks: [],
    webhookLogs: [],
    pages: [],
    products: [{ id: 'metal-card', description: 'Metal card', isEligible: true }],
    chainConfig: chainConfig ?? defaultChainConfig(),
    isReferralActive: true,
    isCustodial: true,
    isNotificationServiceConfigured: true,
  };
}
