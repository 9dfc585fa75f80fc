import * as real from '@package/card-platform-sdk';
import { currentStage } from './stage.js';

export * from '@package/card-platform-sdk';

/** The client of the package, whose requests the page shows. */
export class CardPlatformClient extends real.CardPlatformClient {
  constructor(options: ConstructorParameters<typeof real.CardPlatformClient>[0]) {
    super({ ...options, logger: currentStage().logger(options.logger) });
  }
}
