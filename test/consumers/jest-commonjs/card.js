const { isApiError } = require('card-platform-sdk');

/** Orders a card and waits until it is active. A user with a card keeps it. */
exports.orderCard = async function orderCard(userClient, wait) {
  try {
    await userClient.card.order({ type: 'VIRTUAL' });
  } catch (error) {
    if (!isApiError(error, 'user_already_has_card')) throw error;
  }
  return userClient.card.waitUntilActive(wait);
};
