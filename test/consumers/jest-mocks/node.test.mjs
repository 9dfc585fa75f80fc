/** @jest-environment node */
import { jest } from '@jest/globals';
import { testMocks } from './mocks.js';

const load = () => {
  jest.resetModules();
  return import('card-platform-sdk');
};
testMocks({ jest, load, hasFetch: true });
