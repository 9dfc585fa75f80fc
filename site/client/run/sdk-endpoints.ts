import * as real from '@package/card-platform-sdk/endpoints';
import { currentStage } from './stage.js';

export * from '@package/card-platform-sdk/endpoints';

/** `createClient` of the package, whose requests the page shows. */
export const createClient: typeof real.createClient = (options) =>
  real.createClient({ ...options, logger: currentStage().logger(options.logger) });
