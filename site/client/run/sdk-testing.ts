import * as real from '@package/card-platform-sdk/testing';
import { currentStage } from './stage.js';

export * from '@package/card-platform-sdk/testing';

/** `createMockPlatform` of the package, whose requests the page shows. */
export const createMockPlatform: typeof real.createMockPlatform = (options) => {
  const mock = real.createMockPlatform(options);
  currentStage().join(mock);
  const { clientFor } = mock;
  const watched: typeof clientFor = (user, own = {}) =>
    clientFor.call(mock, user, {
      // An event may let hours pass within a request.
      timeout: 86_400_000,
      totalTimeout: 86_400_000,
      ...own,
      logger: currentStage().logger(own.logger),
    });
  Object.defineProperty(mock, 'clientFor', { value: watched });
  return mock;
};
