import { call, cardStatus, createClient, login, withdrawCredit } from 'card-platform-sdk/endpoints';
import { KEY } from '../contestants/request.mjs';
import { AMOUNT, USER } from './steps.mjs';

export function open(baseUrl) {
  let client = createClient({ baseUrl, clientKey: KEY });
  return [
    async () => {
      const { accessToken } = await call(client, login, USER);
      client = createClient({ baseUrl, clientKey: KEY, accessToken });
    },
    () => call(client, cardStatus, {}),
    () => call(client, withdrawCredit, AMOUNT),
  ];
}
