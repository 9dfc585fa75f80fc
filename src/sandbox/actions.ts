import { isEndpointId } from '../testing/endpoint-ids.js';
import type { EndpointId, MockPlatform } from '../testing/index.js';

/** An action that a person or a script triggers, outside the API. */
type Action = (platform: MockPlatform, form: URLSearchParams) => void;

const userOf = (platform: MockPlatform, form: URLSearchParams) =>
  platform.users.get(form.get('user') ?? '');

function endpointOf(form: URLSearchParams): EndpointId {
  const id = form.get('endpoint') ?? '';
  if (!isEndpointId(id)) throw new Error('endpoint must be an id such as card.freeze');
  return id;
}

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
  block(platform, form) {
    const { card } = userOf(platform, form);
    if (card === null) throw new Error('the user has no card');
    card.status = 'BLOCKED';
  },
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
