import { it } from 'node:test';
import { clientOf, MOCKED_URL } from './service.js';

const early = clientOf(MOCKED_URL);

// The fetch of Node 26 (undici 8) does not use the dispatcher that undici 6 sets.
if (Number.parseInt(process.versions.undici, 10) >= 8) {
  it('undici 6 has no effect on the fetch of this Node', { skip: true }, () => {});
} else {
  const undici = await import('undici-6');
  const { testUndici } = await import('./undici.js');
  testUndici(undici, { early });
}
