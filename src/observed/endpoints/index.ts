export * from './logout.js';
export * from './oauth.js';
export * from './oauth2.js';
export * from './oauth2-authorize-url.js';
export * from './password-reset.js';
export * from './registration.js';
export * from './registration-contact.js';
export type * from './registration-types.js';
