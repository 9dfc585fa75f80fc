import { describe, expect, it } from 'vitest';
import { type ApiError, OtpRequiredError } from '../../src/index.js';
import { clientReceiving, json, rejection } from '../support/clients.js';

const failedLogin = async (response: Response) => {
  const client = clientReceiving(response);
  return rejection(client.auth.login({ email: 'ada@example.com', password: 'secret' }));
};

describe('the headers of a refusal', () => {
  it('are available without cookies', async () => {
    const response = json({ message: 'no' }, 403);
    response.headers.append('x-request-id', 'r-1');
    response.headers.append('set-cookie', 'session=secret');
    const { headers, requestId } = (await failedLogin(response)) as ApiError;
    expect(headers).toEqual({ 'content-type': 'application/json', 'x-request-id': 'r-1' });
    expect(requestId).toBe('r-1');
  });

  it('are available without cookies when a success asks for a one-time password', async () => {
    const response = json({ isOtpRequired: true });
    response.headers.append('set-cookie', 'session=secret');
    const error = (await failedLogin(response)) as ApiError;
    expect(error.headers).toEqual({ 'content-type': 'application/json' });
    expect([error.fieldErrors, error.details]).toEqual([[], []]);
  });
});

describe('a one-time password', () => {
  it.each([
    [{}, undefined, undefined, {}],
    [{ userId: 'u-1' }, 'u-1', undefined, { userId: 'u-1' }],
    [{ phoneNumber: '***42' }, undefined, '***42', {}],
    [{ userId: 'u-1', phoneNumber: '***42' }, 'u-1', '***42', { userId: 'u-1' }],
  ])('is requested for the user in %o', async (fields, userId, phoneNumber, otpRequest) => {
    const error = await failedLogin(json({ message: 'OTP', isOtpRequired: true, ...fields }, 400));
    expect(error).toBeInstanceOf(OtpRequiredError);
    expect(error).toMatchObject({ userId, phoneNumber, otpRequest });
  });

  it.each([401, 403, 422])('is requested by 400 and not by %i', async (status) => {
    const error = await failedLogin(json({ message: 'OTP', isOtpRequired: true }, status));
    expect(error).not.toBeInstanceOf(OtpRequiredError);
    expect(error).toMatchObject({ status });
  });
});
