import type { ControlAction } from './control-action.js';
import { faultActions, holdActions } from './fault-actions.js';
import { forwardActions } from './forward-actions.js';
import { observedActions } from './observed-actions.js';
import { platformActions } from './platform-actions.js';
import { routeActions } from './route-actions.js';
import { cardActions, userActions } from './user-actions.js';

/** Everything that a person, a test or a script can do to the platform outside its API, by name. */
export const ACTIONS: Readonly<Record<string, ControlAction>> = {
  ...userActions,
  ...cardActions,
  ...faultActions,
  ...holdActions,
  ...routeActions,
  ...observedActions,
  ...platformActions,
  ...forwardActions,
};

/** Returns an action by its name. */
export const findAction = (name: string): ControlAction | undefined =>
  Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
