// The parts of the types of @solana/kit that are used, without an import of it. The real types are
// assignable to these, because TypeScript compares the parameters of methods bivariantly.

/** Signatures by the address of their signer. */
export type KitSignatures = { readonly [address: string]: ArrayLike<number> | null };

/** A transaction of @solana/kit: the bytes to sign, and the signatures. */
export type KitTransaction = {
  readonly messageBytes: ArrayLike<number>;
  readonly signatures: KitSignatures;
};

/** A message of @solana/kit to be signed. */
export type KitSignableMessage = {
  readonly content: Uint8Array;
  readonly signatures: KitSignatures;
};

/** A signer of @solana/kit with one or more of its three ways to sign a transaction. */
export type KitTransactionSigner = {
  /** The account that signs. */
  readonly address: string;
  /** Of a `TransactionModifyingSigner`, such as a wallet that sets a priority fee. */
  modifyAndSignTransactions?(
    transactions: readonly KitTransaction[],
  ): Promise<readonly KitTransaction[]>;
  /** Of a `TransactionPartialSigner`, such as a `KeyPairSigner`. */
  signTransactions?(transactions: readonly KitTransaction[]): Promise<readonly KitSignatures[]>;
  /** Of a `TransactionSendingSigner`. Used only if the signer has neither of the others. */
  signAndSendTransactions?(
    transactions: readonly KitTransaction[],
  ): Promise<readonly ArrayLike<number>[]>;
};

/** A signer of @solana/kit with one or both of its two ways to sign a message. */
export type KitMessageSigner = {
  /** The account that signs. */
  readonly address: string;
  /** Of a `MessageModifyingSigner`, such as a wallet. */
  modifyAndSignMessages?(
    messages: readonly KitSignableMessage[],
  ): Promise<readonly KitSignableMessage[]>;
  /** Of a `MessagePartialSigner`, such as a `KeyPairSigner`. */
  signMessages?(messages: readonly KitSignableMessage[]): Promise<readonly KitSignatures[]>;
};
