import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { cardStatus } from '../../src/contract/card.js';
import { CardPlatformError } from '../../src/errors/index.js';
import { SecretValues } from '../../src/transport/response/redact.js';
import { redactError } from '../../src/transport/response/redact-error.js';

const SECRET = 'canary-secret-value';

/** An error that holds a secret wherever one can be. */
function errorWithSecret(): CardPlatformError {
  const cause = Object.assign(new Error(`the node said ${SECRET}`), { url: `https://x/${SECRET}` });
  const facts = {
    message: `it failed near ${SECRET}.`,
    code: 'api_error',
    outcome: 'unknown',
  } as const;
  return new CardPlatformError(facts, cause);
}

describe('an error that the caller gets holds no secret in', () => {
  const error = redactError(errorWithSecret(), cardStatus, new SecretValues([SECRET]));
  const { cause } = error as { cause?: Error };

  it.each<[string, unknown]>([
    ['its message', error.message],
    ['its stack, which begins with the message', error.stack],
    ['its JSON', JSON.stringify(error)],
    ['its text', String(error)],
    ['its printout', inspect(error, { depth: 9, showHidden: true })],
    ['the message of its cause', cause?.message],
    ['the stack of its cause', cause?.stack],
    ['the printout of its cause', inspect(cause, { depth: 9, showHidden: true })],
  ])('%s', (_, shown) => {
    expect(inspect(errorWithSecret())).toContain(SECRET);
    expect(String(shown)).not.toContain(SECRET);
    expect(shown).toBeDefined();
  });
});
