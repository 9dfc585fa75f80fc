import { describe, expect, it } from 'vitest';
import { ENDPOINTS } from '../../src/contract/endpoints.js';
import { RECOGNISED_ERRORS } from '../../src/contract/recognised-errors.js';
import { type ApiError, isApiError, OtpRequiredError } from '../../src/index.js';
import { sampleCall } from '../support/calls.js';
import { clientFor, clientReceiving, json, rejection, scriptedFetch } from '../support/clients.js';

const LOGIN = { email: 'ada@example.com', password: 'secret' };
const REFUSED = [400, 401, 403];

const IDS = ENDPOINTS.map(({ id }) => id);
const STATUSES = [400, 401, 403, 404, 408, 409, 418, 422, 429, 498, 499, 500, 502, 503];

async function errorOf(id: string, response: Response): Promise<ApiError> {
  const error = await rejection(sampleCall(id).invoke(clientReceiving(response)));
  if (!isApiError(error)) throw new Error('the call was expected to fail with an ApiError');
  return error;
}

async function loginError(response: Response, otpCode?: string): Promise<ApiError> {
  const login = { ...LOGIN, ...(otpCode !== undefined && { otpCode }) };
  return (await rejection(clientReceiving(response).auth.login(login))) as ApiError;
}

/** Messages of each refusal, by the endpoints on which the service uses them. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  invalid_credentials: [
    'Invalid email or password',
    'Invalid credentials.',
    'Wrong password',
    'Incorrect username or password',
    'The email or password you entered is incorrect.',
    'Email or password is incorrect. Please try again.',
    'User not found',
    'Account does not exist',
    'INVALID_CREDENTIALS',
    'InvalidCredentials',
    'Error: invalid credentials',
  ],
  account_locked: [
    'Account is locked',
    'Your account has been locked.',
    'User account temporarily locked. Please try again later.',
    'Account locked due to too many failed login attempts',
    'Too many failed login attempts',
    'ACCOUNT_LOCKED',
    'user-locked',
  ],
  account_disabled: [
    'Account is disabled',
    'Your account has been deactivated. Please contact support.',
    'User is suspended',
    'Account is not active',
    'ACCOUNT_DISABLED',
    'USER_INACTIVE',
  ],
  user_not_verified: [
    'User is not verified',
    'User not verified',
    'The user has not been verified yet.',
    'Identity is not verified',
    'User must be verified',
    'Identity verification required',
    'KYC not completed',
    'USER_NOT_VERIFIED',
  ],
  webhook_limit_reached: [
    'Maximum webhook limit (5) reached for this tenant',
    'Maximum 5 webhooks are allowed',
    'Maximum number of webhooks reached',
    'Webhook limit reached',
    'Webhook limit exceeded.',
    'You can have at most 5 webhooks per tenant',
    'Limit of 5 webhooks reached',
    'Too many webhooks',
    'WEBHOOK_LIMIT_REACHED',
    'max_webhooks_reached',
  ],
};

const OTP_WORDS = [
  'Invalid OTP code',
  'Invalid OTP',
  'The OTP is invalid',
  'OTP expired',
  'OTP has expired. Please request a new one.',
  'Wrong verification code',
  'Invalid one-time password',
  'The code is incorrect',
  'Invalid or expired code',
  'INVALID_OTP',
  'OTP_EXPIRED',
];

const PLACES: Readonly<Record<string, readonly (readonly [string, readonly number[]])[]>> = {
  invalid_credentials: [['auth.login', REFUSED]],
  account_locked: [['auth.login', REFUSED]],
  account_disabled: [['auth.login', REFUSED]],
  user_not_verified: [
    ['card.order', [400, 403]],
    ['wallets.internal.withdraw', [400, 403]],
  ],
  webhook_limit_reached: [['webhooks.create', [400]]],
};

const CELLS = Object.entries(WORDS).flatMap(([code, all]) => all.map((words) => ({ code, words })));

describe('the words of a refusal', () => {
  it.each(CELLS)('$words mean $code, only on its endpoints and statuses', async ({
    code,
    words,
  }) => {
    // On the endpoints where no wording counts, one of them is tested for all.
    const isFirst = WORDS[code]?.[0] === words;
    const places = PLACES[code]?.map(([id]) => id) ?? [];
    for (const id of isFirst ? IDS : places) {
      for (const status of STATUSES) {
        const expected = PLACES[code]?.some(([at, on]) => at === id && on.includes(status));
        const error = await errorOf(id, json({ message: words }, status));
        expect([id, status, error.code === code]).toEqual([id, status, expected === true]);
      }
    }
  });

  it.each(CELLS)('$words mean $code in every form of error body', async ({ code, words }) => {
    const [[id = '', [status = 0] = []] = []] = PLACES[code] ?? [];
    const bodies = [
      { error: words },
      { code: words, message: 'No.' },
      { error: { status, message: words } },
      { message: JSON.stringify({ error: words, details: [] }) },
      { message: [words] },
      { errorCode: words },
    ];
    for (const body of bodies) expect((await errorOf(id, json(body, status))).code).toBe(code);
    const problem = { title: 'Refused', status, detail: words };
    const type = { 'content-type': 'application/problem+json' };
    expect((await errorOf(id, json(problem, status, type))).code).toBe(code);
    const plain = json(words, status, { 'content-type': 'text/plain' });
    expect((await errorOf(id, plain)).code).toBe(code);
  });

  it.each(CELLS)('$words mean nothing in a longer sentence', async ({ code, words }) => {
    const [[id = '', [status = 0] = []] = []] = PLACES[code] ?? [];
    for (const message of [
      `Executed, but: ${words}`,
      `${words}, yet it was done`,
      `Not ${words}`,
    ]) {
      expect((await errorOf(id, json({ message }, status))).code).not.toBe(code);
    }
  });

  it.each([
    'Account is not locked',
    'Account is blocked',
    'Phone number is not verified',
    'E-mail is not verified',
    'Invalid request',
    'Unauthorized',
    'Password must be at least 8 characters',
  ])('leave a login and an order with the code of their status: %s', async (message) => {
    const login = await loginError(json({ message }, 400));
    const order = await errorOf('card.order', json({ message }, 400));
    expect([login.code, order.code]).toEqual(['bad_request', 'bad_request']);
  });

  it('name the refusal in a response with success: false', async () => {
    for (const [code, id] of [
      ['account_locked', 'auth.login'],
      ['user_not_verified', 'card.order'],
      ['webhook_limit_reached', 'webhooks.create'],
    ] as const) {
      for (const message of WORDS[code] ?? []) {
        const call = sampleCall(id).invoke(clientReceiving(json({ success: false, message })));
        expect(await rejection(call)).toMatchObject({ name: 'OperationRejectedError', code });
      }
    }
    const response = json({ success: false, message: 'Invalid OTP' });
    expect(await loginError(response, '123456')).toMatchObject({ code: 'invalid_otp' });
    expect(await loginError(response)).toMatchObject({ code: 'operation_rejected' });
  });
});

describe('the own code of the service', () => {
  it.each(IDS)('USER_NOT_VERIFIED means user_not_verified on %s, with 400 and 403', async (id) => {
    for (const status of STATUSES) {
      for (const body of [
        { code: 'USER_NOT_VERIFIED', message: 'Finish the previous step first' },
        { error: { code: 'user-not-verified', message: 'Finish the previous step first' } },
      ]) {
        const error = await errorOf(id, json(body, status));
        expect(error.code === 'user_not_verified').toBe(status === 400 || status === 403);
      }
    }
  });

  it.each(
    ENDPOINTS.flatMap(({ id, businessErrors }) => businessErrors.map(({ code }) => ({ id, code }))),
  )('of the same name as $code counts on $id, with any 4xx', async ({ id, code }) => {
    const body = { code: code.toUpperCase(), message: 'Sorry, not possible' };
    expect((await errorOf(id, json(body, 400))).code).toBe(code);
    const failure = await errorOf(id, json(body, 500));
    expect(failure).toMatchObject({ code: 'server_error', outcome: 'unknown' });
    expect(failure.probableOutcome).toBeUndefined();
  });

  it('may be the last part of a problem type', async () => {
    const type = { 'content-type': 'application/problem+json' };
    const body = { type: 'https://x.example/problems/user-not-verified', title: 'No.' };
    const error = await errorOf('card.order', json(body, 403, type));
    expect(error).toMatchObject({ code: 'user_not_verified', serverCode: body.type });
    const untyped = await errorOf('card.order', json(body, 403));
    expect(untyped).toMatchObject({ code: 'not_authorized', serverCode: undefined });
  });

  it('never becomes a code of this package', async () => {
    const error = await errorOf('card.status', json({ code: 'MADE_UP', message: 'x' }, 400));
    expect(error).toMatchObject({ code: 'bad_request', serverCode: 'MADE_UP' });
  });
});

describe('a status that decides by itself', () => {
  const rules = RECOGNISED_ERRORS.filter(({ words, ownCode }) => !words && !ownCode);
  const cells = rules.flatMap(({ code, endpoints, statuses, ...rule }) =>
    'withInput' in rule || endpoints === '*' ? [] : endpoints.map((id) => ({ id, code, statuses })),
  );

  it.each(cells)('means $code on $id, whatever the words', async ({ id, code, statuses }) => {
    for (const status of STATUSES) {
      const error = await errorOf(id, json({ message: 'Something odd' }, status));
      expect([status, error.code === code]).toEqual([status, statuses.includes(status)]);
    }
  });

  it.each(cells)('means nothing on $id without a body of the service', async ({
    id,
    code,
    statuses,
  }) => {
    const [status = 0] = statuses;
    for (const body of ['', '<html>', 'Nope', '[]', '{}', 'null', '{"message":']) {
      expect((await errorOf(id, json(body, status))).code).not.toBe(code);
    }
  });

  it.each(
    cells.filter(({ statuses }) => statuses.includes(404)),
  )('means nothing on $id when a router does not know the path', async ({ id }) => {
    for (const message of ['Cannot POST /v1/x', 'no Route matched with those values']) {
      expect((await errorOf(id, json({ message }, 404))).code).toBe('not_found');
    }
  });

  it('does not turn a 404 of a card order into card_not_found', async () => {
    const error = await errorOf('card.order', json({ message: 'Something odd' }, 404));
    expect(error.code).toBe('not_found');
  });
});

describe('a login with a one-time password', () => {
  it.each(OTP_WORDS)('has the code invalid_otp after "%s"', async (message) => {
    for (const status of REFUSED) {
      const error = await loginError(json({ message }, status), '123456');
      expect(error).toMatchObject({ code: 'invalid_otp', status, outcome: 'rejected' });
      expect((await loginError(json({ message }, status))).code).not.toBe('invalid_otp');
    }
    expect((await loginError(json({ message }, 422), '123456')).code).toBe('validation_failed');
    expect((await loginError(json({ message }, 500), '123456')).code).toBe('server_error');
  });

  it.each([
    400, 200,
  ])('has the code invalid_otp when it is asked for again with %i', async (status) => {
    const body = { message: 'OTP is required', isOtpRequired: true, userId: 'u-1' };
    const again = await loginError(json(body, status), '123456');
    expect(again).toBeInstanceOf(OtpRequiredError);
    expect(again).toMatchObject({ code: 'invalid_otp', otpRequest: { userId: 'u-1' } });
    const first = await loginError(json(body, status));
    expect(first).toBeInstanceOf(OtpRequiredError);
    expect(first.code).toBe('otp_required');
  });

  it('has the code invalid_otp after 401 in other words, and not after 400', async () => {
    const codeOf = async (status: number, body: unknown) =>
      (await loginError(json(body, status), '123456')).code;
    expect(await codeOf(401, { message: 'Unauthorized' })).toBe('invalid_otp');
    expect(await codeOf(401, '')).toBe('not_authenticated');
    expect(await codeOf(400, { message: 'Something odd' })).toBe('bad_request');
    expect((await loginError(json({ message: 'Unauthorized' }, 401))).code).toBe(
      'not_authenticated',
    );
  });

  it('has the code of the account when the service names the account as the reason', async () => {
    for (const code of ['account_locked', 'account_disabled', 'invalid_credentials']) {
      for (const message of WORDS[code] ?? []) {
        for (const status of REFUSED) {
          expect((await loginError(json({ message }, status), '123456')).code).toBe(code);
        }
      }
    }
  });
});

describe('a recognised code', () => {
  const otherwise = 'Something that nobody knows';
  const cells = RECOGNISED_ERRORS.flatMap(({ code, endpoints }) =>
    (endpoints === '*' ? IDS : endpoints).map((id) => ({ code, id })),
  );

  it.each(cells)('$code never changes the outcome of $id or whether it is retried', async ({
    code,
    id,
  }) => {
    for (const status of STATUSES) {
      const facts = await Promise.all(
        [code.toUpperCase(), otherwise].map(async (message) => {
          const { fetch, requests } = scriptedFetch(json({ message, code: message }, status));
          const client = clientFor('https://api.example.com', { fetch });
          const error = (await rejection(sampleCall(id).invoke(client))) as ApiError;
          const { outcome, probableOutcome, isRetryable, attempts, name } = error;
          return { outcome, probableOutcome, isRetryable, attempts, name, sent: requests.length };
        }),
      );
      expect(facts[0]).toEqual(facts[1]);
    }
  });

  it('of a retried freeze is not taken for its success', async () => {
    const lost = new Error('reset');
    const refusal = json({ message: 'Sorry', code: 'CARD_ALREADY_FROZEN' }, 400);
    const { fetch } = scriptedFetch(lost, refusal);
    const error = await rejection(clientFor('https://api.example.com', { fetch }).card.freeze());
    expect(error).toMatchObject({ code: 'card_already_frozen', outcome: 'unknown', attempts: 2 });
  });
});
