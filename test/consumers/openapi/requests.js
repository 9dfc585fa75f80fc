const HEADERS = { clientKey: 'x-client-key', clientId: 'x-client-id', secretKey: 'x-secret-key' };

/** The headers with the credentials that an operation requires. */
export function credentialHeaders({ security }, platform, user) {
  const headers = {};
  for (const name of Object.keys(security)) {
    if (name === 'accessToken') headers.authorization = `Bearer ${platform.accessTokenFor(user)}`;
    else headers[HEADERS[name]] = platform.credentials[name];
  }
  return headers;
}

/** Sends a request to an operation. `values` are those of its parameters, by name. */
export async function send(platform, { path, method, parameters }, { headers, values, body }) {
  const at = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(values[name]));
  const url = new URL(`${platform.baseUrl}${at}`);
  const sent = { ...headers };
  for (const { name, in: place } of parameters) {
    if (values[name] === undefined) continue;
    if (place === 'query') url.searchParams.set(name, String(values[name]));
    if (place === 'header') sent[name] = String(values[name]);
  }
  if (body !== undefined) sent['content-type'] = 'application/json';
  const response = await platform.fetch(url, { method, headers: sent, body });
  const type = response.headers.get('content-type') ?? '';
  return { status: response.status, type, text: await response.text() };
}
