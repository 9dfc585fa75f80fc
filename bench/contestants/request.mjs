// The request that every contestant sends: the same credentials and the same JSON.

/** A value that every contestant accepts as a key. */
export const KEY = 'sk_test_0123456789abcdef';

export const HEADERS = {
  accept: 'application/json',
  'x-client-key': KEY,
  authorization: `Bearer ${KEY}`,
};

export const BODY = { customCss: { backgroundColor: '#101820', textColor: '#ffffff' } };
