import { button, element, panel } from './elements.js';
import type { App } from './platform.js';

/** Verifies the user's identity, where that is not done yet. */
export function verifyPanel(app: App, onVerified: () => void): HTMLElement {
  const own = panel('Identity');
  const start = async () => {
    const { sessionUrl } = await app.user.user.startVerification();
    open(sessionUrl, '_blank', 'noopener,noreferrer');
    own.say('Finish in the other tab. Checking takes 5 to 30 minutes; this page keeps looking.');
    await app.user.user.waitUntilVerified({ timeout: 45 * 60_000, interval: 2_000 });
    onVerified();
  };
  own.body.append(
    element('p', {}, 'Before you can order a card, show who you are.'),
    button(own, 'Verify identity', start, { className: 'main' }),
  );
  return own.root;
}
