import { describe, expect, it } from 'vitest';
import { startPage } from '../../src/sandbox/pages/start-page.js';
import { type PublicState, publicState } from '../../src/sandbox/public-state.js';
import { createMockPlatform } from '../../src/testing/index.js';

/** The page of a platform without users, in a state with these changes. */
function pageOf(changes: Partial<PublicState>): string {
  const platform = createMockPlatform();
  const state = publicState({ platform, now: () => platform.now });
  return startPage({ ...state, ...changes }, { nonce: 'n', isWatched: false });
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

describe('the start page', () => {
  it.each<[number, string]>([
    [SECOND, '1 second'],
    [MINUTE - 1, '59 seconds'],
    [MINUTE, '1 minute'],
    [MINUTE + 2 * SECOND, '1 minute 2 seconds'],
    [HOUR - 1, '59 minutes 59 seconds'],
    [HOUR, '1 hour'],
    [HOUR + SECOND, '1 hour 1 second'],
    [DAY - 1, '23 hours 59 minutes'],
    [DAY, '1 day'],
    [2 * DAY + 3 * HOUR + 4 * MINUTE, '2 days 3 hours'],
  ])('says how far a clock that is %i ms ahead is: %s', (clockAhead, text) => {
    expect(pageOf({ clockAhead })).toContain(`>${text} ahead of real time;`);
  });

  it.each([0, SECOND - 1])('says nothing of a clock that is %i ms ahead', (clockAhead) => {
    expect(pageOf({ clockAhead })).not.toContain('ahead of real time');
  });

  it.each<[number | null, string]>([
    [200, '<span class="pill good">200</span>'],
    [399, '<span class="pill good">399</span>'],
    [400, '<span class="pill bad">400</span>'],
    [null, '<span class="pill bad">no response</span>'],
  ])('shows a request with the status %j as %s', (status, pill) => {
    const request = { operation: 'card.status', method: 'GET', path: '/v1/card/status', status };
    const requests = [request] as unknown as PublicState['requests'];
    expect(pageOf({ requests })).toContain(pill);
  });

  it('has a list of the codes that were sent only where there are some', () => {
    expect(pageOf({})).not.toContain('<h2>Messages</h2>');
    const message = { to: 'ada@example.com', purpose: 'p', code: '123456', sentAt: 'now' };
    const messages = [message] as unknown as PublicState['messages'];
    expect(pageOf({ messages })).toContain('<h2>Messages</h2>');
  });
});
