import OpenAI from 'openai';
import { KEY } from '../contestants/request.mjs';
import { AMOUNT, PATHS, USER } from './steps.mjs';

export function open(baseURL) {
  const client = new OpenAI({ apiKey: KEY, baseURL, dangerouslyAllowBrowser: true });
  return [
    () => client.post(PATHS.login, { body: USER }),
    () => client.get(PATHS.card),
    () => client.post(PATHS.withdraw, { body: AMOUNT }),
  ];
}
