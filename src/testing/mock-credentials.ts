/** The credentials that a platform accepts. */
export type MockCredentials = { clientKey: string; clientId: string; secretKey: string };
