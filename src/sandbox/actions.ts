import { readChoice } from '../testing/choices.js';
import { isEndpointId } from '../testing/endpoint-ids.js';
import type { EndpointId, MockPlatform } from '../testing/index.js';
import { forwardEvents, stopForwarding } from './forward/forwarded-webhook.js';

/** An action that a person or a script triggers, outside the API. */
type Action = (platform: MockPlatform, form: URLSearchParams) => void;

const userOf = (platform: MockPlatform, form: URLSearchParams) =>
  platform.users.get(form.get('user') ?? '');

function endpointOf(form: URLSearchParams): EndpointId {
  const id = form.get('endpoint') ?? '';
  if (!isEndpointId(id)) throw new Error('endpoint must be an id such as card.freeze');
  return id;
}

const EVENT_TYPE = /^[a-z0-9_]+(?:\.[a-z0-9_]+)*$/;
const STATUS = /^[45]\d\d$/;
const DECIMAL = /^\d{1,6}(?:\.\d{1,6})?$/;

const ACTIONS: Readonly<Record<string, Action>> = {
  provision: (platform, form) => platform.provisionCard(userOf(platform, form)),
  verify(platform, form) {
    platform.completeVerification(userOf(platform, form));
    platform.advance('10 minutes');
  },
  reject(platform, form) {
    platform.completeVerification(userOf(platform, form), 'REJECTED');
    platform.advance('10 minutes');
  },
  block: (platform, form) => platform.cards.block(userOf(platform, form)),
  pay(platform, form) {
    const merchant = form.get('merchant') || undefined;
    platform.cards.pay(userOf(platform, form), { amount: form.get('amount') ?? '', merchant });
  },
  deposit(platform, form) {
    const user = userOf(platform, form);
    const wallet = form.get('wallet') || user.creditWallet.id;
    platform.wallets.deposit(user, wallet, form.get('amount') ?? '');
  },
  permit(platform, form) {
    userOf(platform, form).isLinked = true;
  },
  forbid(platform, form) {
    userOf(platform, form).isLinked = false;
  },
  tenant: (platform, form) => void platform.tenants.add(form.get('name') ?? ''),
  choose(platform, form) {
    const choice = readChoice(form.get('name') ?? '', form.get('value') ?? '');
    Object.assign(platform.state.choices, choice);
  },
  deliver(platform, form) {
    const type = form.get('type') ?? '';
    if (!EVENT_TYPE.test(type)) throw new Error('type must be an event such as card.activated');
    void platform.deliver({ type });
  },
  forward: (platform, form) =>
    forwardEvents(platform, {
      id: form.get('id') ?? '',
      to: form.get('to') ?? '',
      key: form.get('key') ?? '',
    }),
  stopForwarding: (platform, form) => stopForwarding(platform, form.get('id') ?? ''),
  fail(platform, form) {
    const status = form.get('status') ?? '';
    if (!STATUS.test(status)) throw new Error('status must be a number from 400 to 599');
    platform.fail(endpointOf(form), { status: Number(status), isUndocumented: true });
  },
  drop: (platform, form) => platform.drop(endpointOf(form), 'after-processing'),
  advance(platform, form) {
    const text = form.get('minutes') ?? '';
    const minutes = DECIMAL.test(text) ? Number(text) : 0;
    if (!(minutes > 0 && minutes <= 525_600)) {
      throw new Error('minutes must be a number above 0 and at most 525600');
    }
    platform.advance(minutes * 60_000);
  },
};

/**
 * Runs the action of a form.
 *
 * @throws Error that names the invalid field
 */
export function runAction(platform: MockPlatform, form: URLSearchParams): void {
  const name = form.get('action') ?? '';
  const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
  if (action === undefined) {
    throw new Error(`action must be one of ${Object.keys(ACTIONS).join(', ')}`);
  }
  action(platform, form);
}
