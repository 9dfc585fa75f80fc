/**
 * The property of the options of a call that keeps it out of the journal, because its caller finds out
 * what became of it.
 */
// From the global registry, so that a client of the CommonJS copy understands a flow of the ESM copy.
export const UNRECORDED: unique symbol = Symbol.for('card-platform-sdk.unrecorded');
