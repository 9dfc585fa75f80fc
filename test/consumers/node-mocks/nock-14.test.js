import { clientOf, NOWHERE } from './service.js';

const early = clientOf(NOWHERE);

const { default: nock } = await import('nock-14');
const { testNock } = await import('./nock.js');

testNock(nock, { early, refusal: 'not_sent' });
