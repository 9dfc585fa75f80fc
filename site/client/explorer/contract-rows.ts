import contract from '../../../test/fixtures/endpoints.json' with { type: 'json' };

/** The rows that the tests read from the same file. */
export const CONTRACT_ROWS = contract.endpoints;
