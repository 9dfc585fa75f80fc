/** An error of a node, with its JSON-RPC code. */
export class MockNodeError extends Error {
  override readonly name = 'RpcError';

  constructor(
    readonly code: number,
    message: string,
    readonly data?: string,
  ) {
    super(message);
  }
}

/** The error of a call that a contract refuses. */
export function revert(): MockNodeError {
  return new MockNodeError(3, 'execution reverted', '0x');
}

/** The error of a node for parameters that it does not accept. */
export function invalidParams(message: string): MockNodeError {
  return new MockNodeError(-32602, message);
}
