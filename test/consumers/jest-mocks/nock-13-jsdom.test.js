/** @jest-environment jsdom */
const nock = require('nock-13');
const { testNock } = require('./mocks.js');

testNock({ nock, load: () => require('card-platform-sdk') });
