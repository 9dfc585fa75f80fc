import * as real from '@package/card-platform-sdk/testing';
import { currentStage } from './stage.js';

export * from '@package/card-platform-sdk/testing';

/** `createMockPlatform` of the package, whose requests the page shows. */
export const createMockPlatform: typeof real.createMockPlatform = (options) => {
  const mock = real.createMockPlatform(options);
  currentStage().join(mock);
  return mock;
};
