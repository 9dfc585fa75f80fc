/** Each line of an EIP-4361 message in its place; captures the address and the chain id. */
const EIP_4361 =
  /^[!-~]+ wants you to sign in with your Ethereum account:\n(0x[\dA-Fa-f]{40})\n\n(?:[ -~]+\n)?\nURI: [!-~]+\nVersion: 1\nChain ID: 0*([1-9]\d{0,15})\nNonce: [!-~]+\nIssued At: [!-~]+(?:\nExpiration Time: [!-~]+)?(?:\nNot Before: [!-~]+)?(?:\nRequest ID: [!-~]*)?(?:\nResources:(?:\n- [!-~]+)*)?$/;

/** The longest message that is read. No wallet shows more. */
const MAX_LENGTH = 16_384;

/**
 * Reads a signed EIP-4361 message by its structure alone, because the wallet has signed already.
 * Returns `undefined` for any other text. `/evm` has a parser for the whole grammar, which would cost
 * every page with the client a kilobyte.
 */
export function readSignedMessage(text: string) {
  const [, address, chainId] = (text.length <= MAX_LENGTH && EIP_4361.exec(text)) || [];
  return address === undefined ? undefined : { address, chainId: Number(chainId) };
}

/** Whether a text has a visible character, and no control characters except line breaks. */
export function isReadable(text: string): boolean {
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(text) && !/(?!\n|\r\n)\p{Cc}/u.test(text);
}
