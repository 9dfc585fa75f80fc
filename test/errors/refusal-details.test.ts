import { describe, expect, it } from 'vitest';
import { type ApiError, OtpRequiredError } from '../../src/index.js';
import { clientFor, json, rejection, scriptedFetch } from '../support/clients.js';

const refused = async (answer: Response) => {
  const client = clientFor('https://api.example.com', { fetch: scriptedFetch(answer).fetch });
  return rejection(client.auth.login({ email: 'ada@example.com', password: 'secret' }));
};

describe('the headers of a refusal', () => {
  it('are told, without cookies', async () => {
    const answer = json({ message: 'no' }, 403);
    answer.headers.append('x-request-id', 'r-1');
    answer.headers.append('set-cookie', 'session=secret');
    const { headers, requestId } = (await refused(answer)) as ApiError;
    expect(headers).toEqual({ 'content-type': 'application/json', 'x-request-id': 'r-1' });
    expect(requestId).toBe('r-1');
  });

  it('are told so for a success that asks for a one-time password', async () => {
    const answer = json({ isOtpRequired: true });
    answer.headers.append('set-cookie', 'session=secret');
    const error = (await refused(answer)) as ApiError;
    expect(error.headers).toEqual({ 'content-type': 'application/json' });
    expect([error.fieldErrors, error.details]).toEqual([[], []]);
  });
});

describe('a one-time password is asked for', () => {
  it.each([
    [{}, undefined, undefined, {}],
    [{ userId: 'u-1' }, 'u-1', undefined, { userId: 'u-1' }],
    [{ phoneNumber: '***42' }, undefined, '***42', {}],
    [{ userId: 'u-1', phoneNumber: '***42' }, 'u-1', '***42', { userId: 'u-1' }],
  ])('of the user in %o', async (said, userId, phoneNumber, otpRequest) => {
    const error = await refused(json({ message: 'OTP', isOtpRequired: true, ...said }, 400));
    expect(error).toBeInstanceOf(OtpRequiredError);
    expect(error).toMatchObject({ userId, phoneNumber, otpRequest });
  });

  it.each([401, 403, 422])('by 400 alone, not by %i', async (status) => {
    const error = await refused(json({ message: 'OTP', isOtpRequired: true }, status));
    expect(error).not.toBeInstanceOf(OtpRequiredError);
    expect(error).toMatchObject({ status });
  });
});
