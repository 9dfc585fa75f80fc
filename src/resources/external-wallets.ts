import { type ExternalWallet, listExternalWallets } from '../contract/external-wallets.js';
import type { PlatformPromise } from '../transport/response/platform-promise.js';
import type { RequestOptions, SchemaOption } from '../transport/settings/options.js';
import { Resource } from './resource.js';

/** The user's own wallets, registered by delegation. */
export class ExternalWalletsResource extends Resource {
  /**
   * Returns the wallets that the user has registered. `allowance` is in whole currency units.
   *
   * Endpoint: `GET /v1/wallet/external` (preview)
   *
   * @experimental
   * @example
   * ```ts
   * const wallets = await userClient.wallets.external.list();
   * ```
   */
  list(options?: RequestOptions): PlatformPromise<readonly ExternalWallet[]>;
  list<Output>(options: RequestOptions & SchemaOption<Output>): PlatformPromise<Output>;
  list(options?: RequestOptions) {
    return this.send(listExternalWallets, {}, options);
  }
}
