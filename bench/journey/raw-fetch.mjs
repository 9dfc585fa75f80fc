import { HEADERS } from '../contestants/request.mjs';
import { AMOUNT, PATHS, USER } from './steps.mjs';

export function open(baseUrl) {
  const send = async (method, path, body) => {
    const headers = { ...HEADERS, 'content-type': 'application/json' };
    const response = await fetch(`${baseUrl}${path}`, { method, headers, body });
    return response.json();
  };
  return [
    () => send('POST', PATHS.login, JSON.stringify(USER)),
    () => send('GET', PATHS.card),
    () => send('POST', PATHS.withdraw, JSON.stringify(AMOUNT)),
  ];
}
