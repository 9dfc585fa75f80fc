import { isMissing } from '../../contract/formats/credential.js';
import { ConfigurationError } from '../../errors/index.js';
import { type AccessToken, TokenSource } from '../credentials/token-source.js';
import { decidedByProxy, type Settings } from './settings.js';

/**
 * The settings of a client for one user.
 *
 * @throws ConfigurationError when there is no usable token, or a proxy decides it
 */
export function settingsOfUser(settings: Settings, accessToken: AccessToken): Settings {
  if (settings.request.isProxied) throw decidedByProxy('accessToken');
  if (isMissing(accessToken)) {
    throw new ConfigurationError(
      'accessToken',
      'accessToken is missing: a login that ends in onboarding (phase is set) returns none.',
    );
  }
  const tokens = new TokenSource(accessToken, settings.attempts.clock);
  return { ...settings, credentials: settings.credentials.withTokens(tokens) };
}
