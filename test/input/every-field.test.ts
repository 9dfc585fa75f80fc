import { describe, expect, it } from 'vitest';
import { DECLARED_FIELDS, type FieldKind, inputWith } from './declared-fields.js';
import { expectRefusal, sentRequest } from './refusals.js';

const ofKind = (kind: FieldKind) => DECLARED_FIELDS.filter((declared) => declared.kind === kind);

/** The only texts in which a user may write anything. */
const ANY_TEXT = ['password', 'sigMessage'];
const texts = ofKind('text').filter(({ field }) => !ANY_TEXT.includes(field));

/** Texts in which a user may write words. */
const WORDS = ['searchKey', 'mccCategories', 'name', 'eventTypes.0', 'recipientMemo', 'sourceMemo'];
const withoutBlanks = texts.filter(({ field }) => !WORDS.includes(field));

const identifiers = texts.filter(
  ({ field, operation }) => /(?:^id|Id|^code)$/.test(field) && operation !== 'auth.login',
);

const CONTROL = [
  'a\0b',
  'a\u001b[31mb',
  'a\nb',
  'a\r\nb',
  'a\tb',
  'a\u0085b',
  'a\u2028b',
  '\ud800',
];
const BLANKS = [
  ' a',
  'a ',
  'a b',
  'a\u00a0b',
  '\ufeffa',
  'a\u200bb',
  'a\u202eb',
  'a\u3164b',
  '   ',
];
const NOT_TEXTS = [5, true, {}, [], ['a'], 10n, Symbol('a'), () => 'a'];

describe('every text field of every endpoint', () => {
  it('is found in the declarations', () => {
    expect(texts.length).toBeGreaterThan(60);
    expect(identifiers.map(({ operation, field }) => `${operation} ${field}`)).toEqual([
      'wallets.internal.linkToCard addressId',
      'wallets.internal.unlinkFromCard addressId',
      'wallets.history.list walletId',
      'orders.create productId',
      'consent.createOnboarding onboardingId',
      'consent.createOnboarding tenantId',
      'consent.linkUser consentSetId',
      'consent.linkUser userId',
      'webhooks.update id',
      'webhooks.rotateKey id',
      'webhooks.delete id',
      'auth.sendLoginOtp userId',
      'orders.get orderId',
      'webhooks.get id',
      'webhooks.logs id',
      'referral.validate code',
      'consent.getSet id',
      'consent.getUserAudit userId',
    ]);
  });

  it.each(texts)('$operation refuses control characters in $field', async (declared) => {
    for (const value of CONTROL) {
      await expectRefusal(declared.operation, inputWith(declared, value), declared.field);
    }
  });

  it.each(texts)('$operation refuses an overlong text in $field', async (declared) => {
    const value = 'a'.repeat(1_000_000);
    const issues = await expectRefusal(
      declared.operation,
      inputWith(declared, value),
      declared.field,
    );
    expect(JSON.stringify(issues).length).toBeLessThan(2_000);
  });

  it.each(texts)('$operation refuses anything but a text in $field', async (declared) => {
    for (const value of NOT_TEXTS) {
      await expectRefusal(declared.operation, inputWith(declared, value), declared.field);
    }
  });

  it.each(withoutBlanks)('$operation refuses blanks in $field', async (declared) => {
    for (const value of ['', ...BLANKS]) {
      await expectRefusal(declared.operation, inputWith(declared, value), declared.field);
    }
  });
});

describe('every identifier', () => {
  it.each(identifiers)('$operation sends an ordinary $field', async (declared) => {
    await sentRequest(
      declared.operation,
      inputWith(declared, '3f0e9a52-6f3c-4d59-9d3e-0f6a5c1b2d3e'),
    );
  });
});

describe('every number field of every endpoint', () => {
  const pages = ofKind('number').filter(({ field }) => ['page', 'limit', 'offset'].includes(field));

  it('is found in the declarations', () => expect(pages.length).toBeGreaterThanOrEqual(5));

  it.each(pages)('$operation refuses a $field that is not a whole number', async (declared) => {
    for (const value of [
      -1,
      1.5,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      2 ** 53,
      '1',
      null,
      true,
      1n,
    ]) {
      await expectRefusal(declared.operation, inputWith(declared, value), declared.field);
    }
  });
});
