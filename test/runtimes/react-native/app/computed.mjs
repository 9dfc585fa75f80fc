// The results of the helpers of both chains. Node runs this file too, and both results must be
// equal.
import { isEvmAddress, toChecksumAddress } from 'card-platform-sdk';
import {
  amountToBaseUnits,
  buildApprovalCalls,
  buildRevokeCalls,
  buildSiweMessage,
  checkSiweMessage,
  parseSiweMessage,
  toSendCallsParams,
} from 'card-platform-sdk/evm';
import { schemas } from 'card-platform-sdk/schemas';
import {
  associatedTokenAccount,
  buildSolanaApproval,
  buildSolanaMessage,
  buildSolanaRevoke,
  SOLANA_CURRENCIES,
} from 'card-platform-sdk/solana';

const ADDRESS = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2';
const SPENDER = '0x9D85ca56217D2bb651b00f15e694EB7E713637D4';
const OWNER = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM';
const DELEGATE = '7C4jsPZpht42Tw6MjXWF56Q5RQUocjBBmciEjDa8HRtp';
const ASSET = { network: 'linea', currency: 'usdc', spender: SPENDER };
const ISSUED_AT = '2026-01-01T00:00:00.000Z';

const SIWE = {
  domain: 'wallet.example:8443',
  address: ADDRESS,
  statement: 'Prove address ownership',
  uri: 'https://wallet.example:8443',
  version: '1',
  chainId: 59144,
  nonce: 'a1b2c3d4e5f6a7b8',
  issuedAt: ISSUED_AT,
  expirationTime: '2026-01-01T00:10:00.000Z',
};
const { usdc } = SOLANA_CURRENCIES;
const ACCOUNT = { ...usdc, owner: OWNER, spender: DELEGATE };

const COMPUTATIONS = {
  siwe: () => buildSiweMessage(SIWE),
  parsedSiwe: () => parseSiweMessage(buildSiweMessage(SIWE)),
  checkedSiwe: () =>
    checkSiweMessage(buildSiweMessage(SIWE), {
      domain: SIWE.domain,
      address: ADDRESS,
      chainId: 59144,
      nonce: SIWE.nonce,
      now: new Date(ISSUED_AT),
    }),
  refusedSiwe: () => buildSiweMessage({ ...SIWE, uri: 'https://other.example' }),
  approval: () => buildApprovalCalls({ ...ASSET, amount: '100.5' }),
  revoke: () => buildRevokeCalls(ASSET),
  sendCalls: () =>
    toSendCallsParams(buildApprovalCalls({ ...ASSET, amount: '1' }), { from: ADDRESS }),
  baseUnits: () => amountToBaseUnits('0.000001', 6),
  solanaApproval: () => buildSolanaApproval({ ...ACCOUNT, amount: 100_500_000n }),
  solanaRevoke: () => buildSolanaRevoke(ACCOUNT),
  tokenAccount: () => associatedTokenAccount(ACCOUNT),
  solanaMessage: () =>
    buildSolanaMessage({
      domain: 'wallet.example',
      address: OWNER,
      nonce: SIWE.nonce,
      issuedAt: new Date(ISSUED_AT),
    }),
  checksum: () => [toChecksumAddress(ADDRESS.toLowerCase()), isEvmAddress(`${ADDRESS}0`)],
  invalidOrder: () => schemas['card.order'].request['~standard'].validate({ type: 'METAL' }),
  validWithdrawal: () =>
    schemas['wallets.credit.withdraw'].request['~standard'].validate({ amount: '1.5' }),
};

const shown = (value) =>
  JSON.stringify(value, (_, part) => {
    if (typeof part === 'bigint') return `${part}n`;
    return part instanceof Uint8Array ? Array.from(part) : part;
  });

/** Returns what each helper returns or throws, as JSON. */
export function computeAll() {
  const results = {};
  for (const [name, compute] of Object.entries(COMPUTATIONS)) {
    try {
      results[name] = shown(compute());
    } catch (error) {
      results[name] = `${error.name}: ${error.message}`;
    }
  }
  return results;
}
