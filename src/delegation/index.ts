export { runDelegation } from './run-delegation.js';
export * from './surface.js';
export { isUserRejection } from './user-rejection.js';
