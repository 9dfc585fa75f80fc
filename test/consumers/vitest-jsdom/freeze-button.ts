import { type CardPlatformClient, isApiError } from 'card-platform-sdk';

/** Creates a button that freezes the card and shows the result. */
export function freezeButton(userClient: CardPlatformClient): HTMLButtonElement {
  const button = document.createElement('button');
  button.textContent = 'Freeze';
  button.addEventListener('click', async () => {
    button.disabled = true;
    const { error } = await userClient.card.freeze().safe();
    if (error === undefined) button.textContent = 'Frozen';
    else if (isApiError(error, 'card_already_frozen')) button.textContent = 'Was already frozen';
    else button.textContent = 'Try again';
    button.disabled = false;
  });
  return button;
}
