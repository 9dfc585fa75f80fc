import type { Sender } from '../../endpoints/index.js';
import { addressSteps } from './address-steps.js';
import { contactSteps } from './contact-steps.js';
import type { RegistrationFlow } from './flow-types.js';
import { contextOf, type RegistrationOptions } from './options.js';
import { personSteps } from './person-steps.js';
import { resume } from './resume.js';

/**
 * Creates a guided registration: from an e-mail address to a user with an access token. It knows which
 * step is next, keeps the ids that the steps need, and continues after a restart. No step that
 * creates the account or the user is sent twice.
 *
 * Endpoints: `/v1/auth/register/*`, `POST` and `PATCH /v2/consent/onboarding`. Two clients and the
 * vendor page; paths and bodies certainty high, error statuses low.
 *
 * @experimental
 * @throws ConfigurationError that names the option
 * @example
 * ```ts
 * import { createRegistration } from 'card-platform-sdk/observed';
 *
 * const registration = createRegistration(platform, { region: 'global' });
 * const progress = await registration.sendEmailCode({ email: 'new@example.com' });
 * console.log(progress.status); // in_progress
 * ```
 */
export function createRegistration(client: Sender, options: RegistrationOptions): RegistrationFlow {
  const context = contextOf(client, options);
  return Object.freeze({
    progress: () => context.runner.progress(),
    resume: (known = {}) => resume(context, known),
    restart: () => context.runner.restart(),
    ...contactSteps(context),
    ...personSteps(context),
    ...addressSteps(context),
  });
}
