/** @jest-environment jsdom */
const { testMocks } = require('./mocks.js');

const load = () => {
  jest.resetModules();
  return require('card-platform-sdk');
};
testMocks({ jest, load, hasFetch: false });
