import { clientOf, NOWHERE } from './service.js';

const early = clientOf(NOWHERE);

const undici = await import('undici-7');
const { testUndici } = await import('./undici.js');

testUndici(undici, { early });
