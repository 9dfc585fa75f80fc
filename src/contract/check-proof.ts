/**
 * The method of `client.delegation` that checks a proof as its submission does, and sends nothing.
 */
// From the global registry, so that a flow of the ESM copy finds it in a client of the CommonJS copy.
export const CHECK_PROOF: unique symbol = Symbol.for('card-platform-sdk.checkProof');
