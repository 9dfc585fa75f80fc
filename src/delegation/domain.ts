import { invalid } from './check-values.js';

/**
 * The web page that runs this code; `undefined` outside of one. An extension, an app's WebView and a
 * file have locations too, but none with a domain that a user can sign in to.
 */
export function currentPage(): { readonly host: string; readonly origin: string } | undefined {
  const { location }: { location?: Location } = globalThis;
  return /^https?:$/.test(location?.protocol ?? '') ? location : undefined;
}

/**
 * Rejects a domain that is not the page's own, because wallets warn of such messages. Outside a
 * page there is nothing to compare.
 */
export function checkDomain(domain: string, page = currentPage()): void {
  if (page !== undefined && domain !== page.host) invalid('domain', 'is not the host of this page');
}

/** The domain of a message: of the caller, or of the page. */
export function domainOf({ domain }: { readonly domain?: string | undefined }): string {
  return (
    domain ??
    currentPage()?.host ??
    invalid(
      'domain',
      'is missing: there is no page here whose host it could be. Pass domain and uri, as the user would see them',
    )
  );
}
