/** The fields of a Sign-In with Ethereum message (EIP-4361). */
export type SiweMessage = {
  /** Scheme of the origin that asks, for example `https`; left out of the message when absent. */
  scheme?: string | undefined;
  /** Host that asks, with its port if it has one: in a browser `location.host`. */
  domain: string;
  /** The account that signs, 0x and 40 hex characters. Written in its EIP-55 form. */
  address: string;
  /** The statement that the user agrees to: one line of ASCII by the grammar. */
  statement?: string | undefined;
  /** The resource that the signature is for, an RFC 3986 URI. */
  uri: string;
  /** Version of the message. There is only `'1'`. */
  version: '1';
  /** Chain id, for example 59144 for linea. */
  chainId: number;
  /** At least 8 letters and digits: the service's nonce. */
  nonce: string;
  /** When the message was made, RFC 3339, for example `2026-01-31T09:00:00.000Z`. */
  issuedAt: string;
  /** When the message expires, RFC 3339. */
  expirationTime?: string | undefined;
  /** When the message starts to be valid, RFC 3339. */
  notBefore?: string | undefined;
  /** An id of your own, with only the characters that a URI path may have. */
  requestId?: string | undefined;
  /** URIs that the signature is about. */
  resources?: readonly string[] | undefined;
};

/** Exceptions to EIP-4361. All are off by default. */
export type SiweLeniency = {
  /**
   * Accept a nonce that is not 8 or more letters and digits, as long as it is printable ASCII
   * without a space. In practice the service issues base64 nonces.
   */
  allowAnyNonce?: boolean | undefined;
  /** Accept an address in a message that is all lower or all upper case instead of EIP-55. */
  allowUncheckedAddress?: boolean | undefined;
};
