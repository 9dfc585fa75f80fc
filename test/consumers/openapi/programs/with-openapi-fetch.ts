import createClient from 'openapi-fetch';
import type { paths } from './schema.js';

type Sandbox = { url: string; clientKey: string };

/** Uses the sandbox through the client that openapi-typescript and openapi-fetch make. */
export async function run({ url, clientKey }: Sandbox) {
  const headers = { 'x-client-key': clientKey };
  const guest = createClient<paths>({ baseUrl: url, headers });
  const body = { email: 'grace@example.com', password: 'correct horse battery staple' };
  const wrong = await guest.POST('/v1/auth/login', { body: { ...body, password: 'wrong' } });
  const session = await guest.POST('/v1/auth/login', {
    body,
    params: { header: { 'x-us-env': false } },
  });
  const token = session.data?.accessToken ?? '';
  const user = createClient<paths>({
    baseUrl: url,
    headers: { ...headers, authorization: `Bearer ${token}` },
  });
  const ordered = await user.POST('/v1/card/order', { body: { type: 'VIRTUAL' } });
  const wallet = await user.GET('/v1/wallet/credit');
  const { id } = wallet.data as { id: string };
  const history = await user.GET('/v1/wallet/history', {
    params: { query: { walletId: id, walletType: 'CREDIT', page: 0 } },
  });
  // No body: it is optional.
  await user.POST('/v1/card/details/token');
  const issued = await user.GET('/v1/delegation/token', {
    params: {
      query: {
        faucet: true,
        address: '0x52908400098527886E0F7030069857D2E4169EE7',
        network: 'linea',
      },
    },
  });
  const noKey = await createClient<paths>({ baseUrl: url }).POST('/v1/auth/login', { body });
  return {
    refused: wrong.response.status,
    verificationState: session.data?.verificationState,
    ordered: ordered.response.status,
    transactions: history.data?.length,
    issued: issued.data !== undefined && issued.data.nonce.length > 0,
    noKey: noKey.response.status,
  };
}
