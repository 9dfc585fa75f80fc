import { button, element, panel } from './elements.js';
import type { App } from './platform.js';

/** Verifies the user's identity. */
export function verifyPanel(app: App, onVerified: () => void): HTMLElement {
  const own = panel('Identity');
  const start = async () => {
    const { user } = app.userClient;
    const { verificationState: previousState } = await user.get();
    const { sessionUrl } = await user.startVerification();
    open(sessionUrl, '_blank', 'noopener,noreferrer');
    own.showStatus(
      'Finish in the other tab. The check takes 5 to 30 minutes; this page waits for it.',
    );
    const wait = { timeout: 45 * 60_000, interval: 2_000, previousState };
    const { verificationState } = await user.waitUntilVerified(wait);
    if (verificationState === 'VERIFIED') onVerified();
    else own.showStatus('The provider could not verify you. You can try again.');
  };
  own.body.append(
    element('p', {}, 'Before you can order a card, verify your identity.'),
    button(own, 'Verify identity', start, { className: 'main' }),
  );
  return own.root;
}
