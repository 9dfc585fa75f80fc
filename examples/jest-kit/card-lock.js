const { isApiError, isCardPlatformError } = require('card-platform-sdk');

/** The app under test: the button "I cannot find my card". Returns the text that the app shows. */
exports.lock = async function lock(userClient) {
  try {
    const { resolvedByRetry } = await userClient.card.freeze();
    return resolvedByRetry ? 'locked on the second try' : 'locked';
  } catch (error) {
    if (isApiError(error, 'card_already_frozen')) return 'locked';
    return failure(error);
  }
};

/**
 * The button "I found it". It is never sent twice, because somebody may have locked the card again.
 */
exports.unlock = async function unlock(userClient) {
  try {
    await userClient.card.unfreeze();
    return 'unlocked';
  } catch (error) {
    // The outcome is unknown, but the status of the card shows it.
    if (isCardPlatformError(error) && error.outcome === 'unknown') {
      return (await userClient.card.status()).status === 'ACTIVE' ? 'unlocked' : 'still locked';
    }
    return failure(error);
  }
};

function failure(error) {
  if (isApiError(error, 'not_authenticated')) return 'log in again';
  if (isCardPlatformError(error) && error.outcome === 'not_sent') return 'try again';
  throw error;
}
