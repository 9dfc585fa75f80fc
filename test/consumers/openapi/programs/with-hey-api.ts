import { createClient, createConfig } from './hey/client/index.js';
import {
  authLogin,
  cardCreateDetailsToken,
  cardOrder,
  delegationGetToken,
  walletsCreditGet,
  walletsHistoryList,
} from './hey/sdk.gen.js';

type Sandbox = { url: string; clientKey: string };

/** Uses the sandbox through the client that @hey-api/openapi-ts makes. */
export async function run({ url, clientKey }: Sandbox) {
  // Its own `auth` sends only the first of several credentials.
  const headers = { 'x-client-key': clientKey };
  const client = createClient(createConfig({ baseUrl: url, headers }));
  const body = { email: 'grace@example.com', password: 'correct horse battery staple' };
  const wrong = await authLogin({ client, body: { ...body, password: 'wrong' } });
  const session = await authLogin({ client, body, headers: { 'x-us-env': false } });
  const authorization = `Bearer ${session.data?.accessToken ?? ''}`;
  client.setConfig({ headers: { ...headers, authorization } });
  const ordered = await cardOrder({ client, body: { type: 'VIRTUAL' } });
  const wallet = await walletsCreditGet({ client });
  const { id } = wallet.data as { id: string };
  const history = await walletsHistoryList({
    client,
    query: { walletId: id, walletType: 'CREDIT', page: 0 },
  });
  // No body: it is optional.
  await cardCreateDetailsToken({ client });
  const issued = await delegationGetToken({
    client,
    query: {
      faucet: true,
      address: '0x52908400098527886E0F7030069857D2E4169EE7',
      network: 'linea',
    },
  });
  const anyone = createClient(createConfig({ baseUrl: url }));
  const noKey = await authLogin({ client: anyone, body });
  return {
    refused: wrong.response?.status,
    verificationState: session.data?.verificationState,
    ordered: ordered.response?.status,
    transactions: history.data?.length,
    issued: issued.data !== undefined && issued.data.nonce.length > 0,
    noKey: noKey.response?.status,
  };
}
