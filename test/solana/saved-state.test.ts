import { describeSavedStates } from '../delegation/support/saved-state-tests.js';
import { delegatedOnce } from './support/saved-scene.js';

describeSavedStates(delegatedOnce, async () => (await delegatedOnce()).states);
