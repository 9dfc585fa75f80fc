import type { Invariant } from './invariant.js';

/** No text that leaves the package holds a secret, whether plain, URL-encoded or in JSON. */
export const noSecretShown: Invariant = {
  name: 'no-secret-shown',
  on: ['shown'],
  check: ({ ledger }, happening) => {
    if (happening.kind !== 'shown') return;
    const { where, text } = happening.shown;
    const [name] = ledger.secrets.namesIn(text);
    return name && `${name} in ${where}: ${text.slice(0, 300)}`;
  },
};
