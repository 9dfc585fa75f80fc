module.exports = require('../dist/evm-ethers.cjs');
