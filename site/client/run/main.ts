import './route-fetch.js';
import * as root from 'card-platform-sdk';
import * as cardReveal from 'card-platform-sdk/card-reveal';
import * as endpoints from 'card-platform-sdk/endpoints';
import * as evm from 'card-platform-sdk/evm';
import * as evmEthers from 'card-platform-sdk/evm/ethers';
import * as query from 'card-platform-sdk/query';
import * as schemas from 'card-platform-sdk/schemas';
import * as server from 'card-platform-sdk/server';
import * as sessions from 'card-platform-sdk/sessions';
import * as solana from 'card-platform-sdk/solana';
import * as solanaKit from 'card-platform-sdk/solana/kit';
import * as testing from 'card-platform-sdk/testing';
import * as wallets from 'card-platform-sdk/testing/wallets';
import { openRunner } from './runner.js';

Object.assign(globalThis.cardSite.modules, {
  runner: { openRunner },
  'card-platform-sdk': root,
  'card-platform-sdk/card-reveal': cardReveal,
  'card-platform-sdk/endpoints': endpoints,
  'card-platform-sdk/evm': evm,
  'card-platform-sdk/evm/ethers': evmEthers,
  'card-platform-sdk/query': query,
  'card-platform-sdk/schemas': schemas,
  'card-platform-sdk/server': server,
  'card-platform-sdk/sessions': sessions,
  'card-platform-sdk/solana': solana,
  'card-platform-sdk/solana/kit': solanaKit,
  'card-platform-sdk/testing': testing,
  'card-platform-sdk/testing/wallets': wallets,
});
