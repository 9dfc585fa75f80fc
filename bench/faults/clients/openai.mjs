import OpenAI, { OpenAIError } from 'openai';

export function connect({ baseUrl, timeout, secrets }) {
  const client = new OpenAI({ apiKey: secrets.key, baseURL: `${baseUrl}/v1`, timeout });
  const credentials = { email: 'ada@example.com', password: secrets.password };
  const messages = [{ role: 'user', content: 'Hello' }];
  return {
    // Moves no money, but every completion is billed.
    money: () => client.chat.completions.create({ model: 'a-model', messages }),
    read: () => client.models.retrieve('a-model'),
    login: () => client.post('/login', { body: credentials }),
  };
}

export const isTyped = (error) => error instanceof OpenAIError;
