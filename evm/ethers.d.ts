export * from '../dist/evm-ethers.js';
