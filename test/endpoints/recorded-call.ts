import type { CardPlatformClient } from '../../src/client.js';
import type { Endpoint } from '../../src/contract/endpoint.js';
import { AuthResource } from '../../src/resources/auth.js';
import { CardResource } from '../../src/resources/card.js';
import { ConsentResource } from '../../src/resources/consent.js';
import { DelegationResource } from '../../src/resources/delegation.js';
import { OrdersResource } from '../../src/resources/orders.js';
import { ReferralResource } from '../../src/resources/referral.js';
import { UserResource } from '../../src/resources/user.js';
import { WalletsResource } from '../../src/resources/wallets.js';
import { WebhooksResource } from '../../src/resources/webhooks.js';
import { systemClock } from '../../src/transport/attempts/clock.js';
import type { Send } from '../../src/transport/send.js';
import { sampleCall } from '../support/calls.js';

/** What the method of an endpoint hands to the transport in its sample call. */
export function recordedCall(id: string): { endpoint: Endpoint; input: unknown } {
  const recorded: { endpoint: Endpoint; input: unknown }[] = [];
  const send = ((endpoint: Endpoint, input: unknown) => {
    recorded.push({ endpoint, input });
  }) as unknown as Send;
  const methods = {
    auth: new AuthResource(send),
    card: new CardResource(send, systemClock),
    consent: new ConsentResource(send),
    delegation: new DelegationResource(send),
    orders: new OrdersResource(send, systemClock),
    referral: new ReferralResource(send),
    user: new UserResource(send, systemClock),
    wallets: new WalletsResource(send),
    webhooks: new WebhooksResource(send),
  };
  sampleCall(id).invoke(methods as unknown as CardPlatformClient);
  const [first] = recorded;
  if (first === undefined) throw new Error(`the method of ${id} sends nothing`);
  return first;
}
