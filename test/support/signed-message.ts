import { buildSiweMessage, type SiweMessage } from '../../src/evm/index.js';

/** The wallet of the sample messages. */
export const WALLET = '0x52908400098527886E0F7030069857D2E4169EE7';

/** The fields of a message that a wallet on linea signs for a proof. */
export const MESSAGE_FIELDS: SiweMessage = {
  domain: 'app.example.com',
  address: WALLET,
  statement: 'Prove address ownership',
  uri: 'https://app.example.com',
  version: '1',
  chainId: 59144,
  nonce: '6f1a2b3c4d5e',
  issuedAt: '2026-01-31T09:00:00.000Z',
  expirationTime: '2026-01-31T09:02:00.000Z',
};

/** The object, whose getters return other values from the second read on. */
export function changingOnSecondRead<T extends object>(first: T, later: Partial<T>): T {
  const reads = new Map<PropertyKey, number>();
  return new Proxy(first, {
    get(target, name) {
      const count = (reads.get(name) ?? 0) + 1;
      reads.set(name, count);
      return Reflect.get(count > 1 && name in later ? later : target, name);
    },
  });
}

/** The text of such a message. */
export function signedMessage(fields: Partial<SiweMessage> = {}): string {
  return buildSiweMessage({ ...MESSAGE_FIELDS, ...fields });
}
