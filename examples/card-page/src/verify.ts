import { button, element, panel } from './elements.js';
import type { App } from './platform.js';

/** Verifies the user's identity. */
export function verifyPanel(app: App, onVerified: () => void): HTMLElement {
  const own = panel('Identity');
  const start = async () => {
    const { sessionUrl } = await app.userClient.user.startVerification();
    open(sessionUrl, '_blank', 'noopener,noreferrer');
    own.showStatus(
      'Finish in the other tab. The check takes 5 to 30 minutes; this page waits for it.',
    );
    await app.userClient.user.waitUntilVerified({ timeout: 45 * 60_000, interval: 2_000 });
    onVerified();
  };
  own.body.append(
    element('p', {}, 'Before you can order a card, verify your identity.'),
    button(own, 'Verify identity', start, { className: 'main' }),
  );
  return own.root;
}
