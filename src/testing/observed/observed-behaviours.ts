import { accountBehaviours } from './account.js';
import { cardBehaviours } from './card.js';
import { consentBehaviours } from './consent.js';
import { oauthBehaviours } from './oauth.js';
import { oauth2Behaviours } from './oauth2.js';
import type { ObservedBehaviours } from './observed-call.js';
import { priorityBehaviours } from './priority.js';
import { contactBehaviours } from './registration/contact.js';
import { stepBehaviours } from './registration/steps.js';
import { rewardBehaviours } from './reward.js';
import { webhookEventBehaviours } from './webhook-events.js';

/** The behaviour of each observed call, by its id. */
export const OBSERVED_BEHAVIOURS: ObservedBehaviours = {
  ...oauthBehaviours,
  ...oauth2Behaviours,
  ...accountBehaviours,
  ...contactBehaviours,
  ...stepBehaviours,
  ...consentBehaviours,
  ...priorityBehaviours,
  ...rewardBehaviours,
  ...cardBehaviours,
  ...webhookEventBehaviours,
};
