import { cardPanel } from './card.js';
import { delegatePanel } from './delegate.js';
import { element } from './elements.js';
import { historyPanel } from './history.js';
import { limitsPanel } from './limits.js';
import { loginPanel } from './login.js';
import type { ChainSettings } from './own-wallet.js';
import { openApp, type PageSession } from './platform.js';
import { verifyPanel } from './verify.js';
import { walletsPanel } from './wallets.js';
import { withdrawPanel } from './withdraw.js';

const page = element('div');
document.querySelector('#app')?.append(page);

async function chainSettings(): Promise<ChainSettings> {
  return (await fetch('/chain-settings.json')).json();
}

async function showAccount(session: PageSession): Promise<void> {
  const app = openApp();
  const chain = await chainSettings();
  const panels = element('div', { className: 'panels' });
  const showCard = () =>
    panels.replaceChildren(
      cardPanel(app),
      walletsPanel(app),
      withdrawPanel(app),
      delegatePanel(app, chain),
      limitsPanel(app, chain),
      historyPanel(app),
    );
  if (session.verificationState === 'VERIFIED') showCard();
  else panels.append(verifyPanel(app, showCard));
  const heading = element('h1', { tabIndex: -1 }, 'My card');
  const leave = element('button', { type: 'button' }, 'Log out');
  leave.addEventListener('click', showLogin);
  page.replaceChildren(element('header', {}, heading, leave), panels);
  heading.focus();
}

function showLogin(): void {
  page.replaceChildren(loginPanel(showAccount));
  page.querySelector('input')?.focus();
}

showLogin();
