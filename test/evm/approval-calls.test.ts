import fc from 'fast-check';
import { bytesToHex, encodeFunctionData, erc20Abi, getAddress, type Hex, isAddress } from 'viem';
import { describe, expect, it } from 'vitest';
import { decodeApprove, encodeAllowance, startsWithCall } from '../../src/evm/approval/calldata.js';
import {
  baseUnitsToAmount,
  buildApprovalCalls,
  buildRevokeCalls,
  EVM_NETWORKS,
  findEvmToken,
  toSendCallsParams,
} from '../../src/evm/index.js';

const SPENDER = '0x9D85ca56217D2bb651b00f15e694EB7E713637D4';
const USDC = { network: 'linea', currency: 'usdc', spender: SPENDER };
const USDT = { network: 'ethereum', currency: 'usdt', spender: SPENDER };

const address = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .filter((bytes) => bytes.some((byte) => byte > 0))
  .map((bytes) => getAddress(bytesToHex(bytes)));

describe('an ERC-20 approval', () => {
  it('has the same calldata as with viem for any spender and amount', () => {
    fc.assert(
      fc.property(address, fc.bigInt(1n, (1n << 128n) - 1n), (spender, units) => {
        const amount = baseUnitsToAmount(units, 6);
        const [call] = buildApprovalCalls({ ...USDC, spender, amount });
        const args = [spender, units] as const;
        const viemData = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args });
        expect(call?.data).toBe(viemData);
        expect(decodeApprove(viemData.toUpperCase().replace('0X', '0x'))).toEqual({
          spender,
          units,
        });
      }),
    );
  });

  it('is one call to the token on its chain', () => {
    expect(buildApprovalCalls({ ...USDC, amount: '100.5' })).toEqual([
      {
        to: '0x176211869cA2b568f2A7D4EE941E073a821EE1ff',
        data: `0x095ea7b3${SPENDER.slice(2).toLowerCase().padStart(64, '0')}${(100_500_000).toString(16).padStart(64, '0')}`,
        value: 0n,
        chainId: 59144,
      },
    ]);
  });

  it('resets the allowance to zero first when the token requires it', () => {
    const calls = (currentAllowance?: bigint) =>
      buildApprovalCalls({ ...USDT, amount: '1', currentAllowance }).map(({ data }) =>
        decodeApprove(data),
      );
    const zero = { spender: SPENDER, units: 0n };
    const one = { spender: SPENDER, units: 1_000_000n };
    expect(calls(5n)).toEqual([zero, one]);
    expect(calls(1_000_000n)).toEqual([zero, one]);
    expect(calls(undefined)).toEqual([zero, one]);
    expect(calls(0n)).toEqual([one]);
    expect(buildApprovalCalls({ ...USDC, amount: '1', currentAllowance: 5n })).toHaveLength(1);
  });

  it('is unlimited only when requested explicitly and with a cap', () => {
    const maxUint256 = (1n << 256n) - 1n;
    const [call] = buildApprovalCalls({ ...USDC, amount: '9', cap: '10', unlimited: true });
    expect(decodeApprove(call?.data ?? '')?.units).toBe(maxUint256);
    expect(() => buildApprovalCalls({ ...USDC, amount: '9', unlimited: true })).toThrow(/cap/);
    const above = { ...USDC, amount: '11', cap: '10' };
    expect(() => buildApprovalCalls(above)).toThrow(/amount: is above the cap/);
    expect(() => buildApprovalCalls({ ...above, unlimited: true })).toThrow(/above the cap/);
    const huge = baseUnitsToAmount(maxUint256, 6);
    expect(() => buildApprovalCalls({ ...USDC, amount: huge })).toThrow(/2\^128/);
  });

  it.each([
    ['', 'spender'],
    ['0x0000000000000000000000000000000000000000', 'spender'],
    ['0x9d85Ca56217D2bb651b00f15e694EB7E713637D4', 'spender'],
    [`${SPENDER}00`, 'spender'],
    [EVM_NETWORKS.linea.tokens.usdc.address, 'spender'],
  ])('cannot be built for the spender %j', (spender, path) => {
    expect(() => buildApprovalCalls({ ...USDC, spender, amount: '1' })).toThrow(path);
  });

  it('is revoked by an approval of zero', () => {
    const [call, ...more] = buildRevokeCalls(USDT);
    expect(more).toEqual([]);
    expect(call).toMatchObject({ to: '0xdAC17F958D2ee523a2206206994597C13D831ec7', chainId: 1 });
    expect(decodeApprove(call?.data ?? '')).toEqual({ spender: SPENDER, units: 0n });
  });

  it('can be sent as an EIP-5792 batch in JSON', () => {
    const calls = buildApprovalCalls({ ...USDT, amount: '1' });
    const batch = toSendCallsParams(calls, SPENDER);
    expect(JSON.parse(JSON.stringify(batch))).toEqual({
      version: '2.0.0',
      chainId: '0x1',
      from: SPENDER,
      atomicRequired: true,
      calls: calls.map(({ to, data }) => ({ to, data, value: '0x0' })),
    });
    expect(() => toSendCallsParams([], SPENDER)).toThrow(/calls: must not be empty/);
    const mixed = [...calls, ...buildApprovalCalls({ ...USDC, amount: '1' })];
    expect(() => toSendCallsParams(mixed, SPENDER)).toThrow(/calls: must be for one chain/);
  });

  it('passes the capabilities of an EIP-5792 batch on, and leaves them out if there are none', () => {
    const calls = buildApprovalCalls({ ...USDC, amount: '1' });
    const capabilities = { paymasterService: { url: 'https://pay.example', optional: true } };
    expect(toSendCallsParams(calls, SPENDER, capabilities)).toEqual({
      ...toSendCallsParams(calls, SPENDER),
      capabilities,
    });
    expect(toSendCallsParams(calls, SPENDER)).not.toHaveProperty('capabilities');
    expect(() => toSendCallsParams(calls, SPENDER, 'paymasterService' as never)).toThrow(
      /capabilities: must be an object/,
    );
  });

  it('is decoded only from valid calldata of approve', () => {
    const args = [SPENDER, 1n] as const;
    const transfer = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args });
    const [{ data } = { data: '0x' as Hex }] = buildApprovalCalls({ ...USDC, amount: '1' });
    for (const other of [transfer, '0x', `${data}0`, data.slice(0, -2), data.replace('0x', '')]) {
      expect(decodeApprove(other)).toBeUndefined();
    }
    expect(decodeApprove(data.replace(/^(0x.{8})0/, '$11'))).toBeUndefined();
  });

  it('is decoded from an approve with data that a wallet appended', () => {
    const [{ data } = { data: '0x' as Hex }] = buildApprovalCalls({ ...USDC, amount: '1' });
    expect(decodeApprove(`${data}00`)).toEqual(decodeApprove(data));
    expect(startsWithCall(`${data.toUpperCase().replace('0X', '0x')}80218021`, data)).toBe(true);
    expect(startsWithCall(data.slice(0, -2), data)).toBe(false);
  });

  it('results in an allowance that is read with the same calldata as with viem', () => {
    fc.assert(
      fc.property(address, address, (owner, spender) => {
        const args = [owner, spender] as const;
        const viemData = encodeFunctionData({ abi: erc20Abi, functionName: 'allowance', args });
        expect(encodeAllowance(owner, spender)).toBe(viemData);
      }),
    );
  });
});

describe('the EVM networks', () => {
  it('have the chain ids of the contract, and addresses with a valid checksum', () => {
    expect(EVM_NETWORKS.linea.chainId).toBe(59144);
    expect(EVM_NETWORKS.ethereum.chainId).toBe(1);
    for (const { tokens } of Object.values(EVM_NETWORKS)) {
      for (const { address: token } of Object.values(tokens)) {
        expect(isAddress(token, { strict: true })).toBe(true);
      }
    }
  });

  it('can be extended and replaced token by token', () => {
    const weth = { address: SPENDER, decimals: 18 };
    const networks = { linea: { chainId: 59144, tokens: { weth } } };
    expect(findEvmToken({ network: 'linea', currency: 'weth', networks }).token).toBe(weth);
    expect(findEvmToken({ network: 'linea', currency: 'usdc', networks })).toEqual(
      findEvmToken({ network: 'linea', currency: 'usdc' }),
    );
    const base = { base: { chainId: 8453, tokens: { usdc: weth } } };
    expect(findEvmToken({ network: 'base', currency: 'usdc', networks: base }).chainId).toBe(8453);
  });

  it.each([
    ['network', { network: 'base', currency: 'usdc' }],
    ['network', { network: 'constructor', currency: 'usdc' }],
    ['currency', { network: 'linea', currency: 'weth' }],
    ['currency', { network: 'linea', currency: '__proto__' }],
  ])('reject an unknown asset with the name of the field %s: %j', (path, asset) => {
    expect(() => findEvmToken(asset)).toThrow(`${path}: is not known`);
  });

  it.each([
    ['chain id', { chainId: 0, tokens: { usdc: { address: SPENDER, decimals: 6 } } }],
    ['chain id', { chainId: 1.5, tokens: { usdc: { address: SPENDER, decimals: 6 } } }],
    ['token address', { chainId: 1, tokens: { usdc: { address: '0x12', decimals: 6 } } }],
    ['decimals', { chainId: 1, tokens: { usdc: { address: SPENDER, decimals: -1 } } }],
    ['decimals', { chainId: 1, tokens: { usdc: { address: SPENDER, decimals: 6.5 } } }],
  ])('reject an added network with invalid data: %s', (what, linea) => {
    const asset = { network: 'linea', currency: 'usdc', networks: { linea } };
    expect(() => findEvmToken(asset)).toThrow(what);
  });
});
