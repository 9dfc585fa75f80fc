import OpenAI from 'openai';
import { BODY, KEY } from './request.mjs';

export function connect(baseUrl) {
  const client = new OpenAI({
    apiKey: KEY,
    baseURL: `${baseUrl}/v1`,
    dangerouslyAllowBrowser: true,
  });
  return {
    get: () => client.models.retrieve('card'),
    post: () => client.moderations.create(BODY),
  };
}
