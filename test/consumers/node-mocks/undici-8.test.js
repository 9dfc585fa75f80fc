import { it } from 'node:test';
import { clientOf, MOCKED_URL } from './service.js';

const early = clientOf(MOCKED_URL);

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < 22 || (major === 22 && minor < 19)) {
  it('undici 8 needs Node 22.19', { skip: true }, () => {});
} else {
  const undici = await import('undici-8');
  const { testUndici } = await import('./undici.js');
  // A mock of undici 8 cannot read the body that an older fetch of Node passes.
  testUndici(undici, { early, matchesBody: Number.parseInt(process.versions.undici, 10) >= 8 });
}
