import type { Invariant } from './invariant.js';

/** No approval is requested again while an earlier one can still have an effect. */
export const approvalOnce: Invariant = {
  name: 'approval-asked-once',
  on: ['prompted'],
  check: (_, happening) => {
    if (happening.kind !== 'prompted') return;
    if (happening.problem !== undefined) return happening.problem;
    const { approvals } = happening;
    return approvals > 1 ? `${approvals} approvals of one intention are on the chain` : undefined;
  },
};

/** A proof, and a success, is of exactly the wanted approval, which the chain has shown confirmed. */
export const proofIsVerified: Invariant = {
  name: 'proof-is-verified',
  on: ['proved'],
  check: (_, happening) => (happening.kind === 'proved' ? happening.problem : undefined),
};

/** Every event is handled at least once, a forged or old one never, and duplicates are recognisable. */
export const eventsHandled: Invariant = {
  name: 'events-handled',
  on: ['delivered'],
  check: (_, happening) => (happening.kind === 'delivered' ? happening.problem : undefined),
};
