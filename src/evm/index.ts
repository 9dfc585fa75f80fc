export { checkSiweMessage, type SiweCheck, type SiweExpectation } from './siwe/check.js';
export { buildSiweMessage, type SiweLeniency, type SiweMessage } from './siwe/message.js';
export { parseSiweMessage } from './siwe/parse.js';
