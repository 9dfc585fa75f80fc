import { it } from 'node:test';
import { clientOf, NOWHERE } from './service.js';

const early = clientOf(NOWHERE);

// The fetch of Node 26 (undici 8) does not look where undici 6 puts its dispatcher.
if (Number.parseInt(process.versions.undici, 10) >= 8) {
  it('undici 6 has no effect on the fetch of this Node', { skip: true }, () => {});
} else {
  const undici = await import('undici-6');
  const { testUndici } = await import('./undici.js');
  testUndici(undici, { early });
}
