/** Keys that data from outside must not have: through them it could reach the prototype of objects. */
export const UNSAFE_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);
