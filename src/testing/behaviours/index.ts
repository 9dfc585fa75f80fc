import type { Behaviours } from '../behaviour.js';
import { authBehaviours } from './auth.js';
import { cardBehaviours } from './card.js';
import { consentBehaviours } from './consent.js';
import { delegationBehaviours } from './delegation.js';
import { orderBehaviours } from './orders.js';
import { userBehaviours } from './user.js';
import { walletBehaviours } from './wallets.js';
import { webhookBehaviours } from './webhooks.js';

/** The behaviour of each endpoint, by endpoint id. */
export const BEHAVIOURS: Behaviours = {
  ...authBehaviours,
  ...cardBehaviours,
  ...consentBehaviours,
  ...delegationBehaviours,
  ...orderBehaviours,
  ...userBehaviours,
  ...walletBehaviours,
  ...webhookBehaviours,
};
