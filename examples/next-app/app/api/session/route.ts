import { createErrorResponse } from 'card-platform-sdk/server';
import { openSession, platform } from '../../../lib/server';

/** Logs the user in. The access token stays here; the page gets a cookie that no script can read. */
export async function POST(request: Request): Promise<Response> {
  if (request.headers.get('sec-fetch-site') !== 'same-origin') {
    return new Response(null, { status: 403 });
  }
  const { email, password, otpCode } = await request.json();
  const { ok, data, error } = await platform().auth.login({ email, password, otpCode }).safe();
  if (!ok) return createErrorResponse(error);
  if (data.phase) return Response.json({ phase: data.phase });
  const headers = { 'set-cookie': openSession(data.accessToken) };
  return Response.json({ next: 'done' }, { headers });
}
