import { defineEndpoint } from '../define-endpoint.js';
import { distinctList, input, integer, list, maybe, notBlank, number, text } from '../fields.js';
import { bodyOf, command, inputOf, noInput, objectOf } from './schema.js';

/** An external wallet in the order in which wallets pay. */
export type ExternalWalletPriority = {
  /** Belongs to this list only: `wallets.external.list()` has no such id. */
  id?: number | null | undefined;
  address?: string | null | undefined;
  currency?: string | null | undefined;
  network?: string | null | undefined;
  /** The lowest pays first. */
  priority?: number | null | undefined;
};

/** Every external wallet, once, each with a different priority. */
export type SetExternalWalletPriorityInput = {
  wallets: readonly {
    /** From {@link getExternalWalletPriority}. */
    id: number;
    /** The lowest pays first. */
    priority: number;
  }[];
};

/** Every wallet that is linked to the card, once, each with a different priority. */
export type SetLinkedWalletPriorityInput = {
  wallets: readonly {
    /** From the list of internal wallets. */
    addressId: string;
    /** The lowest pays first. */
    priority: number;
  }[];
};

/** A late retry could undo a newer order. */
const RETRY_WITHIN_MS = 5_000;

/** GET /v1/wallet/external/priority (certainty high) */
export const getExternalWalletPriority = defineEndpoint({
  id: 'wallets.external.getPriority',
  certainty: 'high',
  method: 'GET',
  path: '/v1/wallet/external/priority',
  pageAccess: 'allowed',
  retry: 'safe',
  input: noInput,
  output: bodyOf(
    list(
      objectOf<ExternalWalletPriority>({
        id: maybe(number),
        address: maybe(text),
        currency: maybe(text),
        network: maybe(text),
        priority: maybe(number),
      }),
    ),
    (value) => value as readonly ExternalWalletPriority[],
  ),
});

/** PUT /v1/wallet/external/priority (certainty high) */
export const setExternalWalletPriority = defineEndpoint({
  id: 'wallets.external.setPriority',
  certainty: 'high',
  method: 'PUT',
  path: '/v1/wallet/external/priority',
  pageAccess: 'allowed',
  retry: 'idempotent',
  retryWithin: RETRY_WITHIN_MS,
  input: inputOf<SetExternalWalletPriorityInput>({
    wallets: distinctList(input({ id: integer, priority: integer }), ['id', 'priority']),
  }),
  output: command,
  mayBeEmpty: true,
  errors: [401, 422],
});

/** PUT /v1/wallet/internal/card_linked/priority (certainty high) */
export const setLinkedWalletPriority = defineEndpoint({
  id: 'wallets.internal.setLinkedPriority',
  certainty: 'high',
  method: 'PUT',
  path: '/v1/wallet/internal/card_linked/priority',
  pageAccess: 'allowed',
  retry: 'idempotent',
  retryWithin: RETRY_WITHIN_MS,
  input: inputOf<SetLinkedWalletPriorityInput>({
    wallets: distinctList(input({ addressId: notBlank, priority: integer }), [
      'addressId',
      'priority',
    ]),
  }),
  output: command,
  mayBeEmpty: true,
});
