/** @jest-environment node */
const nock = require('nock-14');
const { testNock } = require('./mocks.js');

testNock({ nock, load: () => require('card-platform-sdk') });
