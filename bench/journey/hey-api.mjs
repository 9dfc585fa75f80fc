import { KEY } from '../contestants/request.mjs';
import { createClient, createConfig } from './generated/client/index.js';
import { authLogin, cardStatus, walletsCreditWithdraw } from './generated/sdk.gen.js';
import { AMOUNT, USER } from './steps.mjs';

/** The client that @hey-api/openapi-ts generates from `openapi.json`. */
export function open(baseUrl) {
  const headers = { 'x-client-key': KEY };
  const client = createClient(createConfig({ baseUrl, headers, throwOnError: true }));
  return [
    async () => {
      const { data } = await authLogin({ client, body: USER });
      client.setConfig({ headers: { ...headers, authorization: `Bearer ${data.accessToken}` } });
    },
    () => cardStatus({ client }),
    () => walletsCreditWithdraw({ client, body: AMOUNT }),
  ];
}
