import type { MockPlatform } from '../../testing/index.js';
import { requireLoopback } from '../../testing/loopback.js';

/** A receiver of every event, besides the webhooks of the app. */
type Forwarding = {
  /** Chosen by the receiver. */
  id: string;
  /** An http URL on this machine. */
  to: string;
  /** The signing key. */
  key: string;
};

const ID = /^[\w-]{8,64}$/;
const LONGEST_KEY = 256;

/**
 * Sends every event to a receiver on this machine, signed with its key. A known receiver gets its new
 * URL and key.
 *
 * @throws Error that names the invalid field
 */
export function forwardEvents(platform: MockPlatform, { id, to, key }: Forwarding): void {
  if (!ID.test(id)) throw new Error('id must be 8 to 64 letters, digits, hyphens or underscores');
  if (key === '' || key.length > LONGEST_KEY) throw new Error('key must be a signing key');
  const forwardsTo = requireLoopback(to);
  const { webhooks, tenants } = platform.state;
  const known = webhooks.find((webhook) => webhook.id === id && webhook.forwardsTo !== undefined);
  if (known !== undefined) {
    Object.assign(known, { forwardsTo, apiKey: key });
    return;
  }
  const at = new Date(platform.now).toISOString();
  webhooks.push({
    id,
    tenant: tenants[0]?.name ?? '',
    name: 'card-platform-sandbox forward',
    url: forwardsTo,
    apiKey: key,
    eventTypes: ['*'],
    isActive: true,
    metadata: {},
    createdAt: at,
    updatedAt: at,
    forwardsTo,
  });
}

/** Undoes `forwardEvents`. */
export function stopForwarding(platform: MockPlatform, id: string): void {
  const { state } = platform;
  state.webhooks = state.webhooks.filter(
    (webhook) => webhook.id !== id || webhook.forwardsTo === undefined,
  );
}
