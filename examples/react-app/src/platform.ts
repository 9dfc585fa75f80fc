import { CardPlatformClient } from 'card-platform-sdk';
import { createJournal } from 'card-platform-sdk/journal';
import { createQueries } from 'card-platform-sdk/query';
import { createSessions, type Session } from 'card-platform-sdk/sessions';
import { indexedDbStore } from 'card-platform-sdk/stores';

/** Data that outlives the tab: the session, and the requests whose outcome is not known. */
const store = indexedDbStore();

export const sessions = createSessions({ store });

// Notices a login or logout in another tab at once.
const tabs = new BroadcastChannel('session');
tabs.onmessage = () => void sessions.load();
sessions.subscribe(() => tabs.postMessage('changed'));

const options = {
  baseUrl: `${location.origin}/platform`,
  // The server of this page puts the real key in its place.
  clientKey: 'added-by-the-server',
};

/** The client before the login. */
export const appClient = new CardPlatformClient(options);

/** Creates the objects that the components need for a signed-in user. */
export function createUser({ accessToken, userId, region }: Session) {
  if (userId === undefined) throw new Error('The login returned no user id.');
  // The users of this demo have no other device.
  const journal = createJournal({ store, user: userId, hasAllRequests: true });
  const client = new CardPlatformClient({ ...options, region, accessToken, journal });
  return { client, userId, queries: createQueries({ client, user: userId, region }) };
}

export type User = ReturnType<typeof createUser>;
