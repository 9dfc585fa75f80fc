import { clientOf, MOCKED_URL } from './service.js';

const early = clientOf(MOCKED_URL);

const { default: nock } = await import('nock-14');
const { testNock } = await import('./nock.js');

testNock(nock, { early, refusal: 'not_sent' });
