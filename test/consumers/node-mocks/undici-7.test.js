import { clientOf, MOCKED_URL } from './service.js';

const early = clientOf(MOCKED_URL);

const undici = await import('undici-7');
const { testUndici } = await import('./undici.js');

testUndici(undici, { early });
